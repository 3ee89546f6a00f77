package io.github.hilo.internal.save;

import java.util.ArrayList;
import java.util.List;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.ChosenNumber;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.CountedField;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;

/**
 * Assigns ids when an entity is saved. The callback finds what the entity lacks and the
 * database to which the template saves, takes ids that are free there, and assigns them.
 * Before a document is sent, the sequences learn its ids and numbers, and never issue
 * them, because the application may have chosen them. If the application replaces the
 * bean, {@link ExcludingCallback} does the second step alone.
 * <p>
 * Thread-safe: all fields are final.
 */
public final class DefaultHiLoBeforeConvertCallback
		implements HiLoBeforeConvertCallback, BeforeSaveCallback<Object>, TemplateCallback {

	private final SaveSteps steps;

	private final SaveDatabase<MongoTemplate, HiLoIdGenerator, SavedTo<HiLoIdGenerator>> database;

	/**
	 * @param engine the engine, or {@code null} if all ids come from a generator of the
	 * application
	 */
	public DefaultHiLoBeforeConvertCallback(SavePlans plans, @Nullable HiLoEngine engine,
			SaveDatabase<MongoTemplate, HiLoIdGenerator, SavedTo<HiLoIdGenerator>> database) {
		this(new SaveSteps(plans, engine, null), database);
	}

	private DefaultHiLoBeforeConvertCallback(SaveSteps steps,
			SaveDatabase<MongoTemplate, HiLoIdGenerator, SavedTo<HiLoIdGenerator>> database) {
		this.steps = steps;
		this.database = database;
	}

	@Override
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new DefaultHiLoBeforeConvertCallback(this.steps, this.database.forGenerator(generator));
	}

	@Override
	public DefaultHiLoBeforeConvertCallback forTemplate(Object template) {
		return (template instanceof MongoTemplate known) ? new DefaultHiLoBeforeConvertCallback(
				this.steps.with(known.getConverter()), this.database.forTemplate(known)) : this;
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		List<CountedField> missing = this.steps.missing(entity, collection);
		return missing.isEmpty() ? entity : this.steps.assign(entity, missing, issuedFor(missing));
	}

	@Override
	public Object onBeforeSave(Object entity, Document document, String collection) {
		this.steps.tolerate(() -> {
			List<ChosenNumber> chosen = this.steps.chosen(entity, document, collection);
			if (!chosen.isEmpty()) {
				this.steps.exclude(chosen, this.database.isKnown() ? this.database.resolve().store() : null);
			}
		});
		return entity;
	}

	/**
	 * Takes all values in one database, which is found once, and within one limit.
	 */
	private List<Object> issuedFor(List<CountedField> missing) {
		this.steps.requireKnown(this.database, missing.get(0));
		Deadline deadline = this.steps.deadline();
		SavedTo<HiLoIdGenerator> to = this.database.resolve();
		List<Object> issued = new ArrayList<>(missing.size());
		for (CountedField value : missing) {
			issued.add(issueFor(value, to, deadline));
		}
		return issued;
	}

	private Object issueFor(CountedField missing, SavedTo<HiLoIdGenerator> to, Deadline deadline) {
		RangeStore store = to.store();
		Claim claim = this.steps.claim(missing, store);
		try {
			// A generator of the application may ask ours, without the place.
			PlacedSequence sequence = this.steps.register(missing, store);
			HiLoIdGenerator generator = to.generator().get();
			Object issued = (sequence != null && HiLoEngine.isOwn(generator)) ? take(sequence, missing, deadline, store)
					: ask(generator, missing);
			claim.issued();
			return this.steps.requireFit(missing, issued, store);
		}
		finally {
			claim.end();
		}
	}

	private static Object ask(HiLoIdGenerator generator, CountedField missing) {
		return missing.property().isNumeric() ? (Object) generator.nextId(missing.sequence())
				: generator.nextDocumentId(missing.sequence());
	}

	private static Object take(PlacedSequence sequence, CountedField missing, Deadline deadline,
			@Nullable RangeStore store) {
		return missing.property().isNumeric() ? (Object) sequence.nextId(deadline, store)
				: sequence.nextDocumentId(deadline, store);
	}

}

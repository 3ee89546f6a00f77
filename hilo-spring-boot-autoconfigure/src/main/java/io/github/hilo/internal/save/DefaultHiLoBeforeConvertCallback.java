package io.github.hilo.internal.save;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.ChosenValue;
import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;

/**
 * Assigns ids when an entity is saved. The callback finds what the entity lacks and the
 * database to which the template saves, takes ids that are free there, and assigns them.
 * Before a document is sent, the sequences learn its ids and numbers, and never issue
 * them, because the application may have chosen them. A template that is a bean gets the
 * second step from {@link ExcludingCallback}.
 * <p>
 * Thread-safe: {@code database} is volatile, and all other fields are final.
 */
public final class DefaultHiLoBeforeConvertCallback
		implements HiLoBeforeConvertCallback, BeforeSaveCallback<Object>, TemplateCallback {

	private final Supplier<HiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable SaveTargets<MongoDatabaseFactory, SaveTarget> databases;

	private final @Nullable HiLoEngine engine;

	private final @Nullable MongoTemplate template;

	private final SaveSteps steps;

	// Where the template saves, once it is certain that this cannot change.
	private volatile @Nullable SaveTarget database;

	/**
	 * @param generator supplies the generator when it is first needed, because the
	 * generator may depend on beans that look for callbacks themselves
	 * @param databases finds the databases to which templates save, or {@code null} if
	 * all ids come from the generator
	 * @param template the template that saves, or {@code null} if it is not known
	 */
	public DefaultHiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, MissingValues values,
			@Nullable SaveTargets<MongoDatabaseFactory, SaveTarget> databases, @Nullable HiLoEngine engine,
			@Nullable MongoTemplate template) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.template = template;
		this.steps = new SaveSteps(values, engine, (template != null) ? template.getConverter() : null);
	}

	@Override
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new DefaultHiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine, this.template);
	}

	@Override
	public BeforeConvertCallback<Object> forTemplate(Object template) {
		return new AssigningCallback(copyFor(template));
	}

	DefaultHiLoBeforeConvertCallback copyFor(Object template) {
		return (template instanceof MongoTemplate own)
				? new DefaultHiLoBeforeConvertCallback(this.generator, this.values, this.databases, this.engine, own)
				: this;
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		List<MissingValue> missing = this.values.missing(entity, collection);
		return missing.isEmpty() ? entity : this.steps.assign(entity, missing, issuedFor(missing));
	}

	@Override
	public Object onBeforeSave(Object entity, Document document, String collection) {
		this.steps.tolerate(() -> {
			List<ChosenValue> chosen = this.steps.chosen(entity, document, collection, this.database);
			if (!chosen.isEmpty()) {
				this.steps.exclude(chosen, savedTo());
			}
		});
		return entity;
	}

	/**
	 * Returns the store of the database to which the document is saved, or {@code null}
	 * if the database is not known.
	 */
	private @Nullable RangeStore savedTo() {
		SaveTarget cached = this.database;
		if (cached != null) {
			return cached.store();
		}
		return (this.databases == null || this.databases.isKnown(factory())) ? database(null).store() : null;
	}

	/**
	 * Takes all values in one database, which is found once, and within one limit.
	 */
	private List<Object> issuedFor(List<MissingValue> missing) {
		HiLoIdGenerator generator = this.generator.get();
		if (this.databases != null) {
			this.databases.requireKnown(factory(), missing.get(0));
		}
		Deadline deadline = (this.engine != null) ? this.engine.deadline() : null;
		SaveTarget database = database(deadline);
		String name = database.name();
		HiLoIdGenerator there = (name == null || (this.engine != null && this.engine.isOwn(generator))) ? generator
				: generator.forDatabase(name);
		List<Object> issued = new ArrayList<>(missing.size());
		for (MissingValue value : missing) {
			issued.add(issueFor(value, there, database.store(), deadline));
		}
		return issued;
	}

	private @Nullable MongoDatabaseFactory factory() {
		return (this.template != null) ? this.template.getMongoDatabaseFactory() : null;
	}

	private SaveTarget database(@Nullable Deadline deadline) {
		SaveTarget cached = this.database;
		if (cached != null) {
			return cached;
		}
		MongoDatabaseFactory factory = factory();
		SaveTarget elsewhere = (this.databases != null) ? this.databases.elsewhere(factory) : null;
		SaveTarget found = (elsewhere != null) ? elsewhere : new SaveTarget(null, storeOf(deadline));
		if (this.databases != null && factory != null && this.databases.fixed().test(factory)) {
			this.database = found;
		}
		return found;
	}

	/**
	 * Returns the store of the default database or of a generator's database. Returns
	 * {@code null} if only a generator of the application can resolve the database.
	 */
	private @Nullable RangeStore storeOf(@Nullable Deadline deadline) {
		HiLoEngine engine = this.engine;
		if (engine == null) {
			return null;
		}
		Deadline limit = (deadline != null) ? deadline : engine.deadline();
		return (this.databases != null) ? engine.currentStore(limit) : engine.storeUsedBy(this.generator.get(), limit);
	}

	private Object issueFor(MissingValue missing, HiLoIdGenerator generator, @Nullable RangeStore store,
			@Nullable Deadline deadline) {
		Claim claim = this.steps.claim(missing, store);
		try {
			PlacedSequence placed = this.steps.register(missing, store);
			Object issued;
			if (placed == null || deadline == null || this.engine == null || !this.engine.isOwn(generator)) {
				issued = missing.property().isNumeric() ? (Object) generator.nextId(missing.sequence())
						: generator.nextDocumentId(missing.sequence());
			}
			else {
				issued = missing.property().isNumeric() ? (Object) placed.nextId(deadline)
						: placed.nextDocumentId(deadline);
			}
			claim.issued();
			return this.steps.requireFit(missing, issued, store);
		}
		finally {
			claim.end();
		}
	}

	/**
	 * The first step alone. Without an order, it has the lowest precedence, too.
	 */
	private record AssigningCallback(DefaultHiLoBeforeConvertCallback whole) implements BeforeConvertCallback<Object> {

		@Override
		public Object onBeforeConvert(Object entity, String collection) {
			return this.whole.onBeforeConvert(entity, collection);
		}

	}

}

package io.github.hilo.internal.save;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.engine.ChosenNumber;
import io.github.hilo.internal.engine.ChosenValue;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.CountedField;
import io.github.hilo.internal.mapping.NumberedProperty;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.util.Assert;

/**
 * The steps of a save that are the same with both drivers. Issued values are assigned,
 * and the template must store exactly these values, because the checks of stored ids find
 * no other form. If a converter of the application may write the field, the converted
 * document is inspected before it is sent. The ids with which a document is about to be
 * stored are excluded. If that fails, it is logged, and the save goes on.
 * <p>
 * Thread-safe: {@code converted} is a concurrent map, and the other fields are final.
 */
final class SaveSteps {

	private static final Logger logger = LoggerFactory.getLogger(SaveSteps.class);

	private final SavePlans plans;

	private final @Nullable HiLoEngine engine;

	private final @Nullable MongoConverter converter;

	private final Map<NumberedProperty, Boolean> converted = new ConcurrentHashMap<>();

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * @param converter the template's converter, or {@code null} if no template is known
	 */
	SaveSteps(SavePlans plans, @Nullable HiLoEngine engine, @Nullable MongoConverter converter) {
		this.plans = plans;
		this.engine = engine;
		this.converter = converter;
	}

	SaveSteps with(MongoConverter ofTemplate) {
		return new SaveSteps(this.plans, this.engine, ofTemplate);
	}

	/**
	 * Without an engine nothing waits by it.
	 */
	Deadline deadline() {
		return (this.engine != null) ? this.engine.deadline() : new Deadline(Duration.ZERO, TimeSource.SYSTEM);
	}

	List<CountedField> missing(Object entity, String collection) {
		return this.plans.plan(entity, collection).missing(entity);
	}

	/**
	 * Refuses a save if it is not known to which database the template saves.
	 */
	void requireKnown(SaveDatabase<?, ?, ?> database, CountedField missing) {
		Assert.state(database.isKnown(), () -> "It cannot be told which template saves to " + missing.place().describe()
				+ ", and there are several databases, so the counter of sequence " + Names.quoted(missing.sequence())
				+ " could be in another one. Make the template a bean, and leave out setApplicationContext and"
				+ " setEntityCallbacks(EntityCallbacks.create(context)): Spring calls them."
				+ " Or set callback.withGenerator(generator.forDatabase(\"…\")) on it.");
	}

	/**
	 * Claims the field of a value for its sequence. If it belongs to another one,
	 * publishes the refusal, and throws.
	 * @param store the database's store, or {@code null} if it is not known
	 */
	Claim claim(CountedField missing, @Nullable RangeStore store) {
		try {
			return this.plans.types().claim(missing, (store != null) ? store.database() : "");
		}
		catch (HiLoMappingException ex) {
			refused(missing, ex, store);
			throw ex;
		}
	}

	/**
	 * Registers the place of a value with its sequence, before any generator is asked,
	 * because a generator of the application may ask ours without the place.
	 * @return the sequence, or {@code null} if the database is not known
	 */
	@Nullable PlacedSequence register(CountedField missing, @Nullable RangeStore store) {
		if (this.engine == null || store == null) {
			this.plans.types().registerEverywhere(missing);
			return null;
		}
		return this.engine.sequence(store, missing.sequence()).placed(missing.place());
	}

	private void refused(CountedField missing, RuntimeException refusal, @Nullable RangeStore store) {
		if (this.engine != null && store != null) {
			this.engine.sequence(store, missing.sequence()).refused(refusal);
		}
	}

	/**
	 * Returns a value if it fits its property. Otherwise publishes the refusal, and
	 * throws.
	 * @param store the database's store, or {@code null} if a generator of the
	 * application issues its ids
	 */
	Object requireFit(CountedField missing, Object issued, @Nullable RangeStore store) {
		try {
			return missing.requireFit(issued);
		}
		catch (HiLoExhaustedException ex) {
			refused(missing, ex, store);
			throw ex;
		}
	}

	/**
	 * Assigns the issued values.
	 * @return the entity that has the values
	 * @throws IllegalStateException if a value would be stored as something else
	 */
	Object assign(Object entity, List<CountedField> missing, List<Object> values) {
		Object assigned = entity;
		for (int i = 0; i < values.size(); i++) {
			assigned = missing.get(i).property().assign(assigned, values.get(i), this.converter);
		}
		if (this.converter != null) {
			requireStored(assigned, missing, this.converter);
		}
		return assigned;
	}

	private void requireStored(Object entity, List<CountedField> given, MongoConverter converter) {
		Document stored = null;
		for (CountedField value : given) {
			if (this.converted.computeIfAbsent(value.property(),
					(property) -> property.isConverted(converter.getCustomConversions()))) {
				if (stored == null) {
					stored = new Document();
					converter.write(entity, stored);
				}
				value.property().requireStored(entity, stored, converter);
			}
		}
	}

	/**
	 * Finds the numbers with which a document is about to be stored, and which must be
	 * excluded. If there are none, the database need not be resolved.
	 */
	List<ChosenNumber> chosen(Object entity, Document document, String collection) {
		HiLoEngine engine = this.engine;
		if (engine == null) {
			return List.of();
		}
		List<ChosenNumber> chosen = new ArrayList<>(1);
		for (ChosenValue value : this.plans.chosen(entity, document, collection)) {
			ChosenNumber number = engine.toExclude(value);
			if (number != null) {
				chosen.add(number);
			}
		}
		return chosen;
	}

	/**
	 * Excludes numbers, which only an engine can have named, from what the sequences
	 * issue.
	 * @param store the database to which the document is saved, or {@code null} if it is
	 * not known
	 */
	void exclude(List<ChosenNumber> chosen, @Nullable RangeStore store) {
		HiLoEngine engine = Objects.requireNonNull(this.engine);
		chosen.forEach((number) -> tolerate(() -> engine.exclude(store, number)));
	}

	void tolerate(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException | LinkageError ex) {
			tolerated(ex);
		}
	}

	void tolerated(Throwable failure) {
		String message = "An id with which a document is about to be stored could not be excluded, so it may be issued"
				+ " for another document, which could replace this one";
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(message + ". Further failures are logged at level DEBUG", failure);
		}
		else {
			logger.debug(message, failure);
		}
	}

}

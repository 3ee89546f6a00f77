package io.github.hilo.internal.data;

import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
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
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;

/**
 * The callback: finds what an entity lacks and the database that is saved to, takes ids
 * that are free there, and assigns them. Before a document is sent, its ids and numbers
 * are left out of what is issued from then on: the application may have chosen them.
 */
public final class DefaultHiLoBeforeConvertCallback
		implements HiLoBeforeConvertCallback, BeforeSaveCallback<Object>, TemplateCallback {

	private final Supplier<HiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases;

	private final @Nullable HiLoEngine engine;

	private final @Nullable MongoTemplate template;

	private final StoredForm storedForm;

	// Where the template saves, once it is certain that it cannot change.
	private volatile @Nullable TemplateDatabase database;

	/**
	 * Creates a callback that knows no template.
	 * @param generator supplies the generator when it is first needed: it may depend on
	 * beans that look for callbacks themselves
	 * @param databases finds the databases that templates save to, or {@code null} if all
	 * ids are the generator's
	 */
	public DefaultHiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases,
			@Nullable HiLoEngine engine) {
		this(generator, values, databases, engine, null);
	}

	private DefaultHiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases, @Nullable HiLoEngine engine,
			@Nullable MongoTemplate template) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.template = template;
		this.storedForm = new StoredForm((template != null) ? template.getConverter() : null);
	}

	@Override
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new DefaultHiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine, this.template);
	}

	@Override
	public Object of(Object template) {
		return (template instanceof MongoTemplate known)
				? new DefaultHiLoBeforeConvertCallback(this.generator, this.values, this.databases, this.engine, known)
				: this;
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		List<MissingValue> missing = this.values.missing(entity, collection);
		return missing.isEmpty() ? entity : this.storedForm.assign(entity, missing, issuedFor(missing));
	}

	@Override
	public Object onBeforeSave(Object entity, Document document, String collection) {
		HiLoEngine engine = this.engine;
		if (engine != null) {
			ChosenIds.tolerate(() -> {
				List<ChosenValue> chosen = ChosenIds.of(this.values.chosen(entity, document, collection), engine);
				if (!chosen.isEmpty()) {
					ChosenIds.leaveOut(chosen, engine, savedTo(engine));
				}
			});
		}
		return entity;
	}

	/**
	 * Finds the database that is saved to, or {@code null} if it cannot be told.
	 */
	private @Nullable RangeStore savedTo(HiLoEngine engine) {
		if (this.databases != null && !this.databases.isTold(factory())) {
			return null;
		}
		TemplateDatabase elsewhere = elsewhere();
		return (elsewhere != null) ? elsewhere.store() : storeOf(this.generator.get(), engine.deadline());
	}

	/**
	 * Takes all values in one database, which is found once, and within one limit.
	 */
	private List<Object> issuedFor(List<MissingValue> missing) {
		HiLoEngine engine = this.engine;
		HiLoIdGenerator generator = this.generator.get();
		Deadline deadline = (engine != null) ? engine.deadline() : null;
		if (this.databases != null) {
			this.databases.requireTold(factory(), missing.get(0));
		}
		TemplateDatabase elsewhere = elsewhere();
		RangeStore store = (elsewhere != null) ? elsewhere.store() : storeOf(generator, deadline);
		HiLoIdGenerator there = (elsewhere == null || (engine != null && engine.isOwn(generator))) ? generator
				: generator.forDatabase(elsewhere.name());
		return missing.stream().map((value) -> issueFor(value, there, store, deadline)).toList();
	}

	private @Nullable MongoDatabaseFactory factory() {
		return (this.template != null) ? this.template.getMongoDatabaseFactory() : null;
	}

	private @Nullable TemplateDatabase elsewhere() {
		TemplateDatabase known = this.database;
		if (known != null || this.databases == null) {
			return known;
		}
		MongoDatabaseFactory factory = factory();
		TemplateDatabase found = this.databases.elsewhere(factory);
		if (found != null && factory != null && this.databases.fixed().test(factory)) {
			this.database = found;
		}
		return found;
	}

	/**
	 * Finds the default database, or that of a generator, or {@code null} if only a
	 * generator of the application's knows it.
	 */
	private @Nullable RangeStore storeOf(HiLoIdGenerator generator, @Nullable Deadline deadline) {
		return (this.engine == null || deadline == null) ? null : (this.databases != null)
				? this.engine.currentStore(deadline) : this.engine.storeUsedBy(generator, deadline);
	}

	private Object issueFor(MissingValue missing, HiLoIdGenerator generator, @Nullable RangeStore store,
			@Nullable Deadline deadline) {
		HiLoEngine engine = this.engine;
		missing.requireOneCounter((store != null) ? store.database() : "");
		if (engine == null || store == null || deadline == null) {
			return missing.requireFit(take(missing, generator));
		}
		if (!engine.isOwn(generator)) {
			return fitting(missing, take(missing, generator), store, engine);
		}
		PlacedSequence placed = engine.sequence(store, missing.sequence()).placed(missing.place());
		return fitting(missing,
				missing.isNumeric() ? (Object) placed.nextId(deadline) : placed.nextDocumentId(deadline), store,
				engine);
	}

	private static Object take(MissingValue missing, HiLoIdGenerator generator) {
		return missing.isNumeric() ? (Object) generator.nextId(missing.sequence())
				: generator.nextDocumentId(missing.sequence());
	}

	/**
	 * Counts a number that does not fit, and refuses it.
	 */
	static Object fitting(MissingValue missing, Object issued, RangeStore store, HiLoEngine engine) {
		try {
			return missing.requireFit(issued);
		}
		catch (HiLoExhaustedException ex) {
			engine.sequence(store, missing.sequence()).refused(ex);
			throw ex;
		}
	}

}

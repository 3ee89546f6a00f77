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
 * Assigns ids when an entity is saved. The callback finds what the entity lacks and the
 * database to which the template saves, takes ids that are free there, and assigns them.
 * Before the document is sent, the callback leaves out its ids and numbers, because the
 * application may have chosen them.
 * <p>
 * Thread-safe: {@code database} is volatile, and all other fields are final.
 */
public final class DefaultHiLoBeforeConvertCallback
		implements HiLoBeforeConvertCallback, BeforeSaveCallback<Object>, TemplateCallback {

	private final Supplier<HiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases;

	private final @Nullable HiLoEngine engine;

	private final @Nullable MongoTemplate template;

	private final StoredForm storedForm;

	// Where the template saves, once it is certain that this cannot change.
	private volatile @Nullable TemplateDatabase database;

	/**
	 * Creates a callback without a template.
	 * @param generator supplies the generator when it is first needed, because the
	 * generator may depend on beans that look for callbacks themselves
	 * @param databases finds the databases to which templates save, or {@code null} if
	 * all ids come from the generator
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
	 * Returns the store of the database to which the document is saved, or {@code null}
	 * if the database is not known.
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
	 * Returns the store of the default database or of a generator's database. Returns
	 * {@code null} if only a generator of the application can resolve the database.
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
	 * Returns a value if it fits its property. Otherwise publishes that, and throws.
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

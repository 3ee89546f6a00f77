package io.github.hilo.data;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.FreeIds;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.mapping.NumberedProperty;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * Gives an entity without an id one before it is saved: a document id where the id is a
 * {@code String}, a number where it is a {@code long} or {@code int}. Properties with
 * {@link HiLo} get theirs in the same way. A primitive 0 counts as not set; any other id
 * that is set is never changed; ids of any other type, and what is no entity, are left
 * alone.
 * <p>
 * Runs last, so that an id wins that the application's callbacks and listeners set. Code
 * that reads the id belongs in a {@code BeforeSaveCallback}.
 * <p>
 * Ids are counted in the database of the template that saves. Where that cannot be told,
 * because the template is no bean or got its callbacks after the start, it is the default
 * database, unless there are templates or factories of several: then the save is refused.
 * So that such a template counts in its own database, set a copy on it:
 * {@code template.setEntityCallbacks(EntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 */
public final class HiLoBeforeConvertCallback implements BeforeConvertCallback<Object>, Ordered {

	private final Supplier<HiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases;

	private final @Nullable HiLoEngine engine;

	private final MissingValues.@Nullable SetValues set;

	/**
	 * Creates a callback.
	 * @param generator supplies the generator when it is first needed: it may depend on
	 * beans that look for callbacks themselves
	 * @param values tells what an entity lacks
	 * @param databases finds the databases that templates save to, or {@code null} if all
	 * ids are the generator's
	 * @param engine confirms ids where they go, or {@code null} if it does not issue them
	 */
	public HiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases,
			@Nullable HiLoEngine engine) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.set = (engine != null) ? engine::set : null;
	}

	/**
	 * Makes a callback like this one that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new HiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine);
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		TemplateCallbacks template = null;
		Save save = null;
		List<NumberedProperty> converted = List.of();
		Object assigned = entity;
		for (NumberedProperty property : this.values.propertiesOf(entity)) {
			MissingValue missing = this.values.missing(assigned, property, collection, this.set);
			if (missing != null) {
				if (save == null) {
					template = TemplateCallbacks.ofThisSave(collection);
					save = begin(missing, template);
				}
				assigned = missing.assign(save.issueFor(missing));
				if (template != null && template.storedForm().mayWrite(property)) {
					converted = Stream.concat(converted.stream(), Stream.of(property)).toList();
				}
			}
		}
		if (template != null) {
			template.storedForm().requireStored(assigned, converted);
		}
		return assigned;
	}

	/**
	 * Finds the database that is saved to, once for the whole save and within its limit.
	 */
	private Save begin(MissingValue missing, @Nullable TemplateCallbacks template) {
		HiLoEngine engine = this.engine;
		HiLoIdGenerator generator = this.generator.get();
		Deadline deadline = (engine != null) ? engine.deadline() : null;
		TemplateDatabase elsewhere = elsewhere(missing, template);
		if (elsewhere == null) {
			return new Save(generator, engine,
					(engine != null && deadline != null) ? storeOf(generator, engine, deadline) : null, deadline);
		}
		// A mock may answer nothing.
		return new Save(
				(engine != null && engine.isOwn(generator)) ? generator
						: Objects.requireNonNullElse(generator.forDatabase(elsewhere.name()), generator),
				engine, elsewhere.store(), deadline);
	}

	private @Nullable TemplateDatabase elsewhere(MissingValue missing, @Nullable TemplateCallbacks template) {
		if (this.databases != null && template == null) {
			this.databases.requireOne(missing);
		}
		return (this.databases != null && template != null) ? template.database(this.databases) : null;
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

	private @Nullable RangeStore storeOf(HiLoIdGenerator generator, HiLoEngine engine, Deadline deadline) {
		return (this.databases != null) ? engine.currentStore(deadline) : engine.storeUsedBy(generator, deadline);
	}

	/**
	 * Returns the lowest precedence. Auditing must come first, because it takes an entity
	 * with an id for an old one. So must the application's own callbacks, which have this
	 * order unless they name another: with equal order, beans of the application come
	 * before those of auto-configurations.
	 * @return the order
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	/**
	 * One save, of which all properties share a database and a limit.
	 *
	 * @param store the database that is saved to, or {@code null} if only a generator of
	 * the application's knows it
	 */
	private record Save(HiLoIdGenerator generator, @Nullable HiLoEngine engine, @Nullable RangeStore store,
			@Nullable Deadline deadline) {

		Object issueFor(MissingValue missing) {
			HiLoEngine engine = this.engine;
			RangeStore store = this.store;
			Deadline deadline = this.deadline;
			missing.requireOneCounter((store != null) ? store.database() : "");
			if (engine == null || store == null || deadline == null) {
				return missing.requireFit(take(missing));
			}
			return fitting(missing,
					engine.isOwn(this.generator) ? take(missing, engine, store, deadline)
							: FreeIds.take(missing.sequence(), () -> take(missing),
									(id) -> engine.confirm(store, missing.sequence(), missing.place(), id), deadline),
					store, engine);
		}

		private Object take(MissingValue missing) {
			return missing.isNumeric() ? (Object) this.generator.nextId(missing.sequence())
					: this.generator.nextDocumentId(missing.sequence());
		}

		private static Object take(MissingValue missing, HiLoEngine engine, RangeStore store, Deadline deadline) {
			PlacedSequence placed = engine.sequence(store, missing.sequence()).placed(missing.place());
			return missing.isNumeric() ? (Object) placed.nextId(deadline) : placed.nextDocumentId(deadline);
		}

	}

}

package io.github.hilo.internal.data;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.mapping.NumberedProperty;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.MongoDatabaseFactory;

/**
 * The callback: finds what an entity lacks and the database that is saved to, and takes
 * ids that are free there.
 */
public final class DefaultHiLoBeforeConvertCallback implements HiLoBeforeConvertCallback {

	private final Supplier<HiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases;

	private final @Nullable HiLoEngine engine;

	private final MissingValues.@Nullable SetValues set;

	/**
	 * Creates a callback.
	 * @param generator supplies the generator when it is first needed: it may depend on
	 * beans that look for callbacks themselves
	 * @param databases finds the databases that templates save to, or {@code null} if all
	 * ids are the generator's
	 */
	public DefaultHiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases,
			@Nullable HiLoEngine engine) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.set = (engine != null) ? engine::set : null;
	}

	@Override
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new DefaultHiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine);
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		TemplateCallbacks template = null;
		Save save = null;
		List<NumberedProperty> converted = List.of();
		Object assigned = entity;
		for (NumberedProperty property : this.values.propertiesOf(entity, collection, this.set)) {
			MissingValue missing = this.values.missing(assigned, property, collection, this.set);
			if (missing != null) {
				if (save == null) {
					template = TemplateCallbacks.ofThisSave(collection);
					save = begin(missing, template);
				}
				assigned = missing.assign(save.issueFor(missing),
						(template != null) ? template.storedForm().converter() : null);
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
		return new Save(
				(engine != null && engine.isOwn(generator)) ? generator : generator.forDatabase(elsewhere.name()),
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
					engine.isOwn(this.generator) ? take(missing, engine, store, deadline) : take(missing), store,
					engine);
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

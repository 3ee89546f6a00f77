package io.github.hilo.test;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * A generator for tests only: the one that applications have, on counters in memory
 * instead of MongoDB. Every sequence of every database issues 1, 2, 3 and so on, and
 * again from 1 after {@link #reset()}.
 * <p>
 * Its numbers are unique within one object alone, and start over. As a bean of a test's
 * configuration it replaces the auto-configured generator, and documents that are saved
 * get their ids from it.
 * <p>
 * It looks at nothing that is stored. If a document has the id that comes next, an insert
 * or a repository fails with a {@code DuplicateKeyException}, but
 * {@code MongoTemplate.save} of a new entity without a version replaces that document:
 * empty the collections before a test starts over.
 * <p>
 * Thread-safe. A call that overlaps a reset may still get an id from before it.
 */
public final class InMemoryHiLoIdGenerator extends ForwardingGenerator implements AutoCloseable {

	/**
	 * The default database, {@value}, MongoDB's own default. {@link #forDatabase} with
	 * this name has the same counters as without.
	 */
	public static final String DEFAULT_DATABASE = "test";

	private static final HiLoNamingStrategy BY_COLLECTION = (entityType, collection) -> collection;

	private final MappedSequenceNames names;

	private final HiLoSettings settings;

	private volatile HiLoEngine current;

	/**
	 * Creates a generator whose ids look as they do without any configuration:
	 * {@code orders/1-A} for a type that is mapped to the collection {@code orders}.
	 */
	public InMemoryHiLoIdGenerator() {
		this("A", "/");
	}

	/**
	 * Creates a generator for applications that configure how ids look.
	 * @param nodeTag tag appended to document ids, or an empty string
	 * @param identityPartsSeparator what stands between the sequence and the number
	 */
	public InMemoryHiLoIdGenerator(String nodeTag, String identityPartsSeparator) {
		this(new MongoMappingContext(), BY_COLLECTION, nodeTag, identityPartsSeparator);
	}

	/**
	 * Creates a generator that names the sequences of entity types as an application
	 * does.
	 * @param mappings the application's mapping metadata
	 * @param naming the application's naming strategy
	 * @param nodeTag tag appended to document ids, or an empty string
	 * @param identityPartsSeparator what stands between the sequence and the number
	 */
	public InMemoryHiLoIdGenerator(MongoMappingContext mappings, HiLoNamingStrategy naming, String nodeTag,
			String identityPartsSeparator) {
		this.names = new MappedSequenceNames(mappings, () -> naming);
		HiLoSettings defaults = HiLoSettings.DEFAULTS;
		this.settings = new HiLoSettings(nodeTag, identityPartsSeparator, defaults.timeout(), defaults.growWithin(),
				defaults.shrinkAfter(), defaults.maxGrowth(), false, defaults.sequences());
		this.current = newEngine();
	}

	/**
	 * Lets every sequence start at 1 again, those of handles and of views of other
	 * databases too. A closed generator is open again.
	 */
	public void reset() {
		this.current = newEngine();
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		if (database == null) {
			return this;
		}
		this.current.storeOf(database);
		return new OtherDatabase(this, database);
	}

	/**
	 * Issues nothing any more, as an application's generator does not after its context
	 * was closed.
	 */
	@Override
	public void close() {
		this.current.close();
	}

	@Override
	HiLoIdGenerator target() {
		return this.current.generator();
	}

	HiLoEngine newEngine(InMemoryRangeStores stores) {
		return new HiLoEngine(stores, this.names, this.settings, TimeSource.SYSTEM);
	}

	private HiLoEngine newEngine() {
		return newEngine(new InMemoryRangeStores(DEFAULT_DATABASE));
	}

	private static final class OtherDatabase extends ForwardingGenerator {

		private final InMemoryHiLoIdGenerator origin;

		private final String database;

		OtherDatabase(InMemoryHiLoIdGenerator origin, String database) {
			this.origin = origin;
			this.database = database;
		}

		@Override
		public HiLoIdGenerator forDatabase(@Nullable String database) {
			return this.origin.forDatabase(database);
		}

		@Override
		HiLoIdGenerator target() {
			return this.origin.current.generator().forDatabase(this.database);
		}

	}

}

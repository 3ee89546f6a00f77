package io.github.hilo.test;

import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoSequence;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
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
public final class InMemoryHiLoIdGenerator implements HiLoIdGenerator, AutoCloseable {

	/**
	 * The default database, {@value}, MongoDB's own default. {@link #forDatabase} with
	 * this name has the same counters as without.
	 */
	public static final String DEFAULT_DATABASE = "test";

	private static final String TAG = "A";

	private static final String SEPARATOR = "/";

	private static final HiLoNamingStrategy BY_COLLECTION = (entityType, collection) -> collection;

	private final MappedSequenceNames names;

	private final HiLoSettings settings;

	private final View view = new View(this, null);

	private volatile HiLoEngine current;

	/**
	 * Creates a generator whose ids look as they do without any configuration:
	 * {@code orders/1-A} for a type that is mapped to the collection {@code orders}.
	 */
	public InMemoryHiLoIdGenerator() {
		this(TAG, SEPARATOR);
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
	 * Creates a generator whose sequences have the names, and whose ids look, as in an
	 * application.
	 * @param mappings the application's mapping metadata
	 * @param naming the application's naming strategy
	 * @param environment has the properties {@code hilo.node-tag} and
	 * {@code hilo.identity-parts-separator}
	 */
	public InMemoryHiLoIdGenerator(MongoMappingContext mappings, HiLoNamingStrategy naming, Environment environment) {
		this(mappings, naming, environment.getProperty("hilo.node-tag", TAG),
				environment.getProperty("hilo.identity-parts-separator", SEPARATOR));
	}

	private InMemoryHiLoIdGenerator(MongoMappingContext mappings, HiLoNamingStrategy naming, String nodeTag,
			String identityPartsSeparator) {
		this.names = new MappedSequenceNames(mappings, () -> naming);
		HiLoSettings defaults = HiLoSettings.DEFAULTS;
		this.settings = new HiLoSettings(nodeTag, identityPartsSeparator, defaults.timeout(), defaults.maxGrowth(),
				false, defaults.sequences());
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
	public HiLoSequence sequence(Class<?> entityType) {
		return this.view.sequence(entityType);
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		return this.view.sequence(sequence);
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		this.current.storeOf(database);
		return (database != null) ? new View(this, database) : this;
	}

	@Override
	public void release() {
		this.view.release();
	}

	/**
	 * Issues nothing any more, as an application's generator does not after its context
	 * was closed.
	 */
	@Override
	public void close() {
		this.current.close();
	}

	HiLoEngine newEngine(InMemoryRangeStores stores) {
		return new HiLoEngine(stores, this.names, this.settings, TimeSource.SYSTEM);
	}

	private HiLoEngine newEngine() {
		return newEngine(new InMemoryRangeStores(DEFAULT_DATABASE));
	}

	/**
	 * One database of whichever engine is the current one when it is called.
	 */
	private record View(InMemoryHiLoIdGenerator origin, @Nullable String database) implements HiLoIdGenerator {

		@Override
		public HiLoSequence sequence(Class<?> entityType) {
			return checked(() -> target().sequence(entityType));
		}

		@Override
		public HiLoSequence sequence(String sequence) {
			return checked(() -> target().sequence(sequence));
		}

		@Override
		public HiLoIdGenerator forDatabase(@Nullable String database) {
			return this.origin.forDatabase(database);
		}

		@Override
		public void release() {
			target().release();
		}

		private HiLoIdGenerator target() {
			return this.origin.current.generator().forDatabase(this.database);
		}

		/**
		 * Lets a wrong argument fail now, not at the first call.
		 */
		private static HiLoSequence checked(Supplier<HiLoSequence> sequence) {
			HiLoSequence unused = sequence.get();
			return new CurrentSequence(sequence);
		}

	}

	private record CurrentSequence(Supplier<HiLoSequence> current) implements HiLoSequence {

		@Override
		public long nextId() {
			return this.current.get().nextId();
		}

		@Override
		public String nextDocumentId() {
			return this.current.get().nextDocumentId();
		}

		@Override
		public long ensureAtLeast(long floor) {
			return this.current.get().ensureAtLeast(floor);
		}

	}

}

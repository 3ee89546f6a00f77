package io.github.hilo.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.store.Quoted;
import io.github.hilo.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * The way from a call to its sequence, for any choice of database.
 */
abstract class IssuingGenerator implements HiLoIdGenerator, OneDatabase {

	private final SequenceRegistry registry;

	private final EntitySequenceNames names;

	/**
	 * By name and by entity type, where neither database nor name can change.
	 */
	private final Map<Object, RangeSequence> known = new ConcurrentHashMap<>();

	IssuingGenerator(SequenceRegistry registry, EntitySequenceNames names) {
		this.registry = registry;
		this.names = names;
	}

	/**
	 * Resolves the database of a call, on the calling thread.
	 */
	abstract RangeStore store();

	/**
	 * Whether {@link #store()} always answers the same database.
	 */
	abstract boolean isStoreFixed();

	abstract RangeStore named(String database);

	abstract HiLoIdGenerator defaultDatabase();

	@Override
	public String database() {
		return store().database();
	}

	@Override
	public long nextId(Class<?> entityType) {
		RangeSequence known = known(entityType);
		return (known != null) ? known.next() : sequence(entityType).next();
	}

	@Override
	public long nextId(String sequence) {
		RangeSequence known = known(sequence);
		return (known != null) ? known.next() : sequence(sequence).next();
	}

	@Override
	public long nextIdFor(Object entity) {
		return nextId(typeOf(entity));
	}

	@Override
	public String nextDocumentId(Class<?> entityType) {
		RangeSequence known = known(entityType);
		return (known != null) ? known.nextDocumentId() : sequence(entityType).nextDocumentId();
	}

	@Override
	public String nextDocumentId(String sequence) {
		RangeSequence known = known(sequence);
		return (known != null) ? known.nextDocumentId() : sequence(sequence).nextDocumentId();
	}

	@Override
	public String nextDocumentIdFor(Object entity) {
		return nextDocumentId(typeOf(entity));
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		requireType(entityType);
		if (!this.names.isFixed(entityType)) {
			return new ResolvedSequence(this, () -> this.names.nameOf(entityType));
		}
		HiLoSequence sequence = sequence(this.names.nameOf(entityType));
		if (sequence instanceof RangeSequence fixed) {
			this.known.put(entityType, fixed);
		}
		return sequence;
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		requireName(sequence);
		if (!isStoreFixed()) {
			return new ResolvedSequence(this, () -> sequence);
		}
		RangeSequence known = known(sequence);
		if (known == null) {
			// Not within the map's own lock: a listener hears of a new sequence.
			known = this.registry.sequence(store(), sequence);
			this.known.put(sequence, known);
		}
		return known;
	}

	@Override
	public long ensureAtLeast(Class<?> entityType, long floor) {
		return ensureAtLeast(nameOf(entityType), floor);
	}

	@Override
	public long ensureAtLeast(String sequence, long floor) {
		requireName(sequence);
		if (floor < 1 || floor > MAX_FLOOR) {
			throw new IllegalArgumentException(
					"The counter of sequence " + Quoted.name(sequence) + " can't be lifted to " + floor
							+ ". Pass the highest number in use, from 1 to " + MAX_FLOOR + ".");
		}
		return this.registry.lift(store(), sequence, floor);
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		if (database == null) {
			return defaultDatabase();
		}
		return new PinnedGenerator(this, this.registry, this.names, named(requireDatabase(database)));
	}

	String nameOf(Class<?> entityType) {
		requireType(entityType);
		return this.names.nameOf(entityType);
	}

	static String requireDatabase(String database) {
		if (database.isBlank()) {
			throw new IllegalArgumentException(
					"The database name is blank. Pass a database's name, or null for the default database.");
		}
		return database;
	}

	private @Nullable RangeSequence known(@Nullable Object nameOrType) {
		return (nameOrType != null) ? this.known.get(nameOrType) : null;
	}

	private static void requireType(@Nullable Class<?> entityType) {
		if (entityType == null) {
			throw new IllegalArgumentException("The entity type is null. Pass the class of a mapped document.");
		}
	}

	static void requireName(@Nullable String sequence) {
		if (sequence == null || sequence.isBlank()) {
			throw new IllegalArgumentException("The sequence name is " + ((sequence == null) ? "null" : "blank")
					+ ". Pass the exact name of a counter, such as \"orders\".");
		}
		if (!Quoted.isWellFormed(sequence)) {
			throw new IllegalArgumentException("The sequence name " + Quoted.name(sequence)
					+ " holds half of a surrogate pair, which no document can store. Pass a well-formed string.");
		}
	}

	static Class<?> typeOf(@Nullable Object entity) {
		if (entity == null) {
			throw new IllegalArgumentException("The entity is null. Pass an instance of a mapped document.");
		}
		return entity.getClass();
	}

	/**
	 * A sequence whose database and name are resolved on every call.
	 */
	private record ResolvedSequence(IssuingGenerator generator, Supplier<String> name) implements HiLoSequence {

		@Override
		public long next() {
			return resolve().next();
		}

		@Override
		public String nextDocumentId() {
			return resolve().nextDocumentId();
		}

		@Override
		public long[] nextIds(int count) {
			return resolve().nextIds(count);
		}

		@Override
		public List<String> nextDocumentIds(int count) {
			return resolve().nextDocumentIds(count);
		}

		private HiLoSequence resolve() {
			RangeStore store = this.generator.store();
			return this.generator.registry.sequence(store, this.name.get()).through(store);
		}

	}

	/**
	 * The view that {@link #forDatabase} makes.
	 */
	private static final class PinnedGenerator extends IssuingGenerator {

		private final IssuingGenerator origin;

		private final SequenceRegistry registry;

		private final RangeStore store;

		PinnedGenerator(IssuingGenerator origin, SequenceRegistry registry, EntitySequenceNames names,
				RangeStore store) {
			super(registry, names);
			this.origin = origin;
			this.registry = registry;
			this.store = store;
		}

		@Override
		RangeStore store() {
			return this.store;
		}

		@Override
		boolean isStoreFixed() {
			return true;
		}

		@Override
		RangeStore named(String database) {
			return this.origin.named(database);
		}

		@Override
		HiLoIdGenerator defaultDatabase() {
			return this.origin.defaultDatabase();
		}

		@Override
		public void release() {
			this.registry.release(this.store.database(), null);
		}

	}

}

package io.github.hilo;

import org.jspecify.annotations.Nullable;

/**
 * The way from a call to its sequence, for any choice of database.
 */
abstract class IssuingGenerator implements HiLoIdGenerator {

	private final SequenceRegistry registry;

	private final EntitySequenceNames names;

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
	public long nextId(Class<?> entityType) {
		return nextId(nameOf(entityType));
	}

	@Override
	public long nextId(String sequence) {
		RangeStore store = store();
		return sequenceOf(store, sequence).next(store);
	}

	@Override
	public long nextIdFor(Object entity) {
		return nextId(typeOf(entity));
	}

	@Override
	public String nextDocumentId(Class<?> entityType) {
		return nextDocumentId(nameOf(entityType));
	}

	@Override
	public String nextDocumentId(String sequence) {
		RangeStore store = store();
		return sequenceOf(store, sequence).nextDocumentId(store);
	}

	@Override
	public String nextDocumentIdFor(Object entity) {
		return nextDocumentId(typeOf(entity));
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		nameOf(entityType);
		return new HiLoSequence() {

			@Override
			public long next() {
				return nextId(entityType);
			}

			@Override
			public String nextDocumentId() {
				return IssuingGenerator.this.nextDocumentId(entityType);
			}

		};
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		requireName(sequence);
		if (isStoreFixed()) {
			RangeStore store = store();
			return new FixedSequence(this.registry.sequence(store, sequence), store);
		}
		return new HiLoSequence() {

			@Override
			public long next() {
				return nextId(sequence);
			}

			@Override
			public String nextDocumentId() {
				return IssuingGenerator.this.nextDocumentId(sequence);
			}

		};
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		if (database == null) {
			return defaultDatabase();
		}
		if (database.isBlank()) {
			throw new IllegalArgumentException(
					"The database name is blank. Pass a database's name, or null for the default database.");
		}
		return new PinnedGenerator(this, this.registry, this.names, named(database));
	}

	private RangeSequence sequenceOf(RangeStore store, String sequence) {
		requireName(sequence);
		return this.registry.sequence(store, sequence);
	}

	private String nameOf(@Nullable Class<?> entityType) {
		if (entityType == null) {
			throw new IllegalArgumentException("The entity type is null. Pass the class of a mapped document.");
		}
		return this.names.nameOf(entityType);
	}

	private static Class<?> typeOf(@Nullable Object entity) {
		if (entity == null) {
			throw new IllegalArgumentException("The entity is null. Pass an instance of a mapped document.");
		}
		return entity.getClass();
	}

	private static void requireName(@Nullable String sequence) {
		if (sequence == null || sequence.isBlank()) {
			throw new IllegalArgumentException("The sequence name is " + ((sequence == null) ? "null" : "blank")
					+ ". Pass the exact name of a counter, such as \"orders\".");
		}
	}

	/**
	 * A sequence whose database can't change.
	 */
	private record FixedSequence(RangeSequence sequence, RangeStore store) implements HiLoSequence {

		@Override
		public long next() {
			return this.sequence.next(this.store);
		}

		@Override
		public String nextDocumentId() {
			return this.sequence.nextDocumentId(this.store);
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
			this.registry.release(this.store.database());
		}

	}

}

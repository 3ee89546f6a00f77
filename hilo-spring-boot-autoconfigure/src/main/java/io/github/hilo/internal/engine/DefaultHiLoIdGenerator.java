package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the sequence of a call: the database by the view, which is either of the
 * default database or pinned to another one, and the name by the type.
 * <p>
 * Thread-safe: {@code fixed} is a concurrent map, which has only sequences whose database
 * and name cannot change, and all other fields are final.
 */
final class DefaultHiLoIdGenerator implements HiLoIdGenerator {

	private final HiLoEngine engine;

	// The view for the default database, or null if it is this one.
	private final @Nullable HiLoIdGenerator defaultView;

	// The only database of this view, or null for the default one.
	private final @Nullable RangeStore pinned;

	// By type or name.
	private final Map<Object, HiLoSequence> fixed = new ConcurrentHashMap<>();

	// This generator. A spy has a copy of this field, so there it is not the spy itself.
	private final DefaultHiLoIdGenerator original = this;

	DefaultHiLoIdGenerator(HiLoEngine engine, @Nullable HiLoIdGenerator defaultView, @Nullable RangeStore pinned) {
		this.engine = engine;
		this.defaultView = defaultView;
		this.pinned = pinned;
	}

	/**
	 * Returns a generator if it is one of these. Returns {@code null} if it is one of the
	 * application, or a spy of one of these, because the stubs of a spy must be called.
	 */
	static @Nullable DefaultHiLoIdGenerator own(HiLoIdGenerator generator) {
		return (generator instanceof DefaultHiLoIdGenerator own && own.original == own) ? own : null;
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		HiLoSequence cached = (entityType != null) ? this.fixed.get(entityType) : null;
		return (cached != null) ? cached
				: begin(entityType, this.engine.names().isFixed(Arguments.requireType(entityType)));
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		HiLoSequence cached = (sequence != null) ? this.fixed.get(sequence) : null;
		return (cached != null) ? cached : begin(Names.requireSequence(sequence), true);
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		HiLoIdGenerator first = (this.defaultView != null) ? this.defaultView : this;
		return (database != null) ? new DefaultHiLoIdGenerator(this.engine, first, this.engine.storeOf(database))
				: first;
	}

	@Override
	public void release() {
		this.engine.release((this.pinned != null) ? this.pinned.database() : null, null);
	}

	/**
	 * Returns the store of the database from which a call on this thread would get an id.
	 */
	RangeStore store(Deadline deadline) {
		return (this.pinned != null) ? this.pinned : this.engine.currentStore(deadline);
	}

	private HiLoSequence begin(Object key, boolean nameIsFixed) {
		if (!nameIsFixed || !isDatabaseFixed()) {
			return new ResolvingSequence(this, key, null);
		}
		// Now, so that a wrong type is refused at once.
		PlacedSequence resolved = resolve(key, store(this.engine.deadline()));
		HiLoSequence sequence = (key instanceof Class<?>) ? new ResolvingSequence(this, key, resolved) : resolved;
		this.fixed.put(key, sequence);
		return sequence;
	}

	private PlacedSequence resolve(Object key, RangeStore store) {
		EntitySequenceNames names = this.engine.names();
		return (key instanceof Class<?> type)
				? this.engine.sequence(store, names.nameOf(type)).placed(names.registerPlaceOf(type), store)
				: this.engine.sequence(store, (String) key).placed(null, store);
	}

	private Claim claim(Object key, RangeStore store) {
		return (key instanceof Class<?> type) ? this.engine.claim(type, store) : Claim.NONE;
	}

	private boolean isDatabaseFixed() {
		return this.pinned != null || this.engine.isCurrentFixed();
	}

	/**
	 * A sequence that resolves its database and name on every call, within the call's
	 * limit, unless they are fixed. A call for numbers by type claims the ids of the
	 * type. Thread-safe: {@code claimed} is written once the ids need no claim any more.
	 */
	private static final class ResolvingSequence implements HiLoSequence {

		private final DefaultHiLoIdGenerator generator;

		private final Object key;

		// The sequence if its database and name cannot change.
		private final @Nullable PlacedSequence fixed;

		// The same, once no claim is needed any more.
		private volatile @Nullable PlacedSequence claimed;

		ResolvingSequence(DefaultHiLoIdGenerator generator, Object key, @Nullable PlacedSequence fixed) {
			this.generator = generator;
			this.key = key;
			this.fixed = fixed;
		}

		@Override
		public long nextId() {
			PlacedSequence known = this.claimed;
			return (known != null) ? known.nextId() : claimed(PlacedSequence::nextId);
		}

		@Override
		public String nextDocumentId() {
			return (this.fixed != null) ? this.fixed.nextDocumentId() : call(PlacedSequence::nextDocumentId);
		}

		@Override
		public long[] nextIds(int count) {
			return claimed((sequence, deadline) -> sequence.nextIds(count, deadline));
		}

		@Override
		public List<String> nextDocumentIds(int count) {
			return call((sequence, deadline) -> sequence.nextDocumentIds(count, deadline));
		}

		@Override
		public long ensureAtLeast(long floor) {
			return call((sequence, deadline) -> sequence.ensureAtLeast(floor, deadline));
		}

		private <T> T call(BiFunction<PlacedSequence, Deadline, T> call) {
			Deadline deadline = this.generator.engine.deadline();
			return call.apply(sequence(this.generator.store(deadline)), deadline);
		}

		private PlacedSequence sequence(RangeStore store) {
			return (this.fixed != null) ? this.fixed : this.generator.resolve(this.key, store);
		}

		/**
		 * Makes a call for numbers. A text cannot be the number of a second counter.
		 */
		private <T> T claimed(BiFunction<PlacedSequence, Deadline, T> call) {
			Deadline deadline = this.generator.engine.deadline();
			RangeStore store = this.generator.store(deadline);
			Claim claim = this.generator.claim(this.key, store);
			try {
				T issued = call.apply(sequence(store), deadline);
				claim.issued();
				if (claim.isForGood()) {
					this.claimed = this.fixed;
				}
				return issued;
			}
			finally {
				claim.end();
			}
		}

	}

}

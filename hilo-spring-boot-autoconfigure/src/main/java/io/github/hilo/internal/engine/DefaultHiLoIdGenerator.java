package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the sequence of a call: the database by the view, which is either of the
 * default database or pinned to another one, and the name by the type.
 * <p>
 * Thread-safe: {@code handles} is a concurrent map, which has only handles whose place
 * cannot change, and all other fields are final.
 */
final class DefaultHiLoIdGenerator implements HiLoIdGenerator {

	private final HiLoEngine engine;

	// The view for the default database, or null if it is this one.
	private final @Nullable HiLoIdGenerator defaultView;

	// The only database of this view, or null for the default one.
	private final @Nullable RangeStore pinned;

	// By type or name, as many as are asked for.
	private final Map<Object, HiLoSequence> handles = new ConcurrentHashMap<>();

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
		HiLoSequence cached = (entityType != null) ? this.handles.get(entityType) : null;
		return (cached != null) ? cached
				: handle(entityType, new SequenceKey.OfType(Arguments.requireType(entityType), this.engine));
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		HiLoSequence cached = (sequence != null) ? this.handles.get(sequence) : null;
		return (cached != null) ? cached
				: handle(sequence, new SequenceKey.OfName(Names.requireSequence(sequence), this.engine));
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

	/**
	 * Resolves a sequence whose name and database cannot change, so that a wrong type is
	 * refused before the first call. By name, no call has anything else to find or claim.
	 */
	private HiLoSequence handle(Object asked, SequenceKey key) {
		if (!key.isFixed() || !isDatabaseFixed()) {
			return new ResolvingSequence(this, key, null);
		}
		RangeStore store = store(this.engine.deadline());
		PlacedSequence resolved = key.resolve(store).through(store);
		HiLoSequence handle = (key instanceof SequenceKey.OfName) ? resolved
				: new ResolvingSequence(this, key, resolved);
		this.handles.put(asked, handle);
		return handle;
	}

	private boolean isDatabaseFixed() {
		return this.pinned != null || this.engine.isCurrentFixed();
	}

	/**
	 * A sequence that resolves its database and name on every call, within the call's
	 * limit, unless they are fixed. A call for numbers by type claims the ids of the
	 * type. Thread-safe: {@code claimed} is written once the ids need no claim any more,
	 * and {@code place} once it cannot change.
	 */
	private static final class ResolvingSequence implements HiLoSequence {

		private final DefaultHiLoIdGenerator generator;

		private final SequenceKey key;

		// The sequence if its database and name cannot change.
		private final @Nullable PlacedSequence fixed;

		// The same, once no claim is needed any more.
		private volatile @Nullable PlacedSequence claimed;

		// Where the ids go in each database, once the handle is kept. Null for a call by
		// name, too.
		private volatile @Nullable Place place;

		ResolvingSequence(DefaultHiLoIdGenerator generator, SequenceKey key, @Nullable PlacedSequence fixed) {
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
			return claimed((sequence, deadline, store) -> sequence.nextIds(count, deadline, store));
		}

		@Override
		public List<String> nextDocumentIds(int count) {
			return call((sequence, deadline, store) -> sequence.nextDocumentIds(count, deadline, store));
		}

		@Override
		public long ensureAtLeast(long floor) {
			return call((sequence, deadline, store) -> sequence.ensureAtLeast(floor, deadline, store));
		}

		private <T> T call(Call<T> call) {
			Deadline deadline = this.generator.engine.deadline();
			RangeStore store = this.generator.store(deadline);
			return call.make(sequence(store), deadline, store);
		}

		private PlacedSequence sequence(RangeStore store) {
			return (this.fixed != null) ? this.fixed : this.key.resolve(store);
		}

		/**
		 * Makes a call for numbers. A text cannot be the number of a second counter.
		 */
		private <T> T claimed(Call<T> call) {
			HiLoEngine engine = this.generator.engine;
			Deadline deadline = engine.deadline();
			RangeStore store = this.generator.store(deadline);
			Place known = this.place;
			PlacedSequence claimed = (known != null) ? engine.sequence(store, this.key.name()).claimed(known) : null;
			return (claimed != null) ? call.make(claimed, deadline, store) : claim(call, deadline, store);
		}

		private <T> T claim(Call<T> call, Deadline deadline, RangeStore store) {
			Claim claim = this.key.claim(store);
			try {
				PlacedSequence sequence = sequence(store);
				T issued = call.make(sequence, deadline, store);
				claim.issued();
				if (claim.isForGood()) {
					sequence.claimedForGood();
					keepResolved();
				}
				return issued;
			}
			finally {
				claim.end();
			}
		}

		/**
		 * Keeps what cannot change, so that later calls need not find it.
		 */
		private void keepResolved() {
			if (this.fixed != null) {
				this.claimed = this.fixed;
			}
			else if (this.key instanceof SequenceKey.OfType asked && asked.isFixed()
					&& !this.generator.isDatabaseFixed()) {
				this.place = this.key.registerPlace();
				this.generator.handles.putIfAbsent(asked.type(), this);
			}
		}

	}

	/**
	 * A call of a sequence, with the deadline and the store that its caller brings.
	 */
	private interface Call<T> {

		T make(PlacedSequence sequence, Deadline deadline, RangeStore brought);

	}

}

package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

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
		return (nameIsFixed && isDatabaseFixed()) ? resolve(key, nameIsFixed, this.engine.deadline())
				: new ResolvingSequence(this.engine, (deadline) -> resolve(key, nameIsFixed, deadline));
	}

	private PlacedSequence resolve(Object key, boolean nameIsFixed, Deadline deadline) {
		EntitySequenceNames names = this.engine.names();
		RangeStore store = store(deadline);
		PlacedSequence resolved = (key instanceof Class<?> type)
				? this.engine.sequence(store, names.nameOf(type)).placed(names.registerPlaceOf(type))
				: this.engine.sequence(store, (String) key).placed(null);
		if (nameIsFixed && isDatabaseFixed()) {
			this.fixed.put(key, resolved);
		}
		return resolved;
	}

	private boolean isDatabaseFixed() {
		return this.pinned != null || this.engine.isCurrentFixed();
	}

	/**
	 * A sequence that resolves its database and name on every call, within the call's
	 * limit.
	 */
	private record ResolvingSequence(HiLoEngine engine,
			Function<Deadline, PlacedSequence> sequence) implements HiLoSequence {

		@Override
		public long nextId() {
			Deadline deadline = this.engine.deadline();
			return this.sequence.apply(deadline).nextId(deadline);
		}

		@Override
		public String nextDocumentId() {
			Deadline deadline = this.engine.deadline();
			return this.sequence.apply(deadline).nextDocumentId(deadline);
		}

		@Override
		public long[] nextIds(int count) {
			Deadline deadline = this.engine.deadline();
			return this.sequence.apply(deadline).nextIds(count, deadline);
		}

		@Override
		public List<String> nextDocumentIds(int count) {
			Deadline deadline = this.engine.deadline();
			return this.sequence.apply(deadline).nextDocumentIds(count, deadline);
		}

		@Override
		public long ensureAtLeast(long floor) {
			Deadline deadline = this.engine.deadline();
			return this.sequence.apply(deadline).ensureAtLeast(floor, deadline);
		}

	}

}

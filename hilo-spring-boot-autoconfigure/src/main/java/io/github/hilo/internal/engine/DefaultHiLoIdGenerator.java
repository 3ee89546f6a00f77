package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a call to its sequence. The view chooses the database: the default one, or one
 * that it is pinned to.
 * <p>
 * Thread-safe: it keeps sequences by type in a concurrent map, and reads those of its
 * database by name in the registry's own, both only where neither database nor name can
 * change.
 */
final class DefaultHiLoIdGenerator implements HiLoIdGenerator {

	private final HiLoEngine engine;

	// The view that forDatabase returns for null.
	private final HiLoIdGenerator defaultView;

	// The only database, or null for the default one.
	private final @Nullable RangeStore pinned;

	private final Map<Class<?>, HiLoSequence> byType = new ConcurrentHashMap<>();

	// The sequences of the only database, once there is one.
	private volatile @Nullable Map<String, RangeSequence> byName;

	DefaultHiLoIdGenerator(HiLoEngine engine) {
		this.engine = engine;
		this.defaultView = this;
		this.pinned = null;
	}

	private DefaultHiLoIdGenerator(HiLoEngine engine, HiLoIdGenerator defaultView, RangeStore pinned) {
		this.engine = engine;
		this.defaultView = defaultView;
		this.pinned = pinned;
	}

	@Override
	public long nextId(Class<?> entityType) {
		HiLoSequence resolved = resolved(entityType);
		return (resolved != null) ? resolved.nextId() : HiLoIdGenerator.super.nextId(entityType);
	}

	@Override
	public long nextId(String sequence) {
		RangeSequence resolved = resolved(sequence);
		if (resolved != null) {
			return resolved.nextId();
		}
		Deadline deadline = this.engine.deadline();
		return resolve(sequence, deadline).placed(null).nextId(deadline);
	}

	@Override
	public String nextDocumentId(Class<?> entityType) {
		HiLoSequence resolved = resolved(entityType);
		return (resolved != null) ? resolved.nextDocumentId() : HiLoIdGenerator.super.nextDocumentId(entityType);
	}

	@Override
	public String nextDocumentId(String sequence) {
		RangeSequence resolved = resolved(sequence);
		if (resolved != null) {
			return resolved.nextDocumentId();
		}
		Deadline deadline = this.engine.deadline();
		return resolve(sequence, deadline).placed(null).nextDocumentId(deadline);
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		if (!this.engine.names().isFixed(Arguments.requireType(entityType)) || !isDatabaseFixed()) {
			return new ResolvingSequence(this.engine, (deadline) -> resolve(entityType, deadline));
		}
		// Not within the map's own lock: a listener hears of a new sequence.
		HiLoSequence resolved = resolve(entityType, this.engine.deadline());
		this.byType.put(entityType, resolved);
		return resolved;
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		Names.requireSequence(sequence);
		return isDatabaseFixed() ? resolve(sequence, this.engine.deadline())
				: new ResolvingSequence(this.engine, (deadline) -> resolve(sequence, deadline).placed(null));
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		return (database != null)
				? new DefaultHiLoIdGenerator(this.engine, this.defaultView, this.engine.storeOf(database))
				: this.defaultView;
	}

	@Override
	public void release() {
		this.engine.release((this.pinned != null) ? this.pinned.database() : null, null);
	}

	/**
	 * Resolves the database that a call on this thread would get an id of.
	 */
	RangeStore store(Deadline deadline) {
		return (this.pinned != null) ? this.pinned : this.engine.currentStore(deadline);
	}

	private boolean isDatabaseFixed() {
		return this.pinned != null || this.engine.isCurrentFixed();
	}

	private @Nullable RangeSequence resolved(@Nullable String sequence) {
		Map<String, RangeSequence> sequences = this.byName;
		return (sequence != null && sequences != null) ? sequences.get(sequence) : null;
	}

	private @Nullable HiLoSequence resolved(@Nullable Class<?> entityType) {
		return (entityType != null) ? this.byType.get(entityType) : null;
	}

	private PlacedSequence resolve(Class<?> entityType, Deadline deadline) {
		RangeSequence resolved = resolve(this.engine.names().nameOf(Arguments.requireType(entityType)), deadline);
		return resolved.placed(this.engine.names().placeOf(entityType));
	}

	private RangeSequence resolve(@Nullable String sequence, Deadline deadline) {
		RangeStore store = store(deadline);
		RangeSequence resolved = this.engine.sequence(store, sequence);
		if (this.byName == null && isDatabaseFixed()) {
			this.byName = this.engine.sequencesOf(store.database());
		}
		return resolved;
	}

	/**
	 * A sequence whose database and name are resolved on every call, within its limit.
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

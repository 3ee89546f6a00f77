package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of a sequence that the application has chosen within the last minutes.
 * Their documents may still be on the way, so that no find sees them: in a batch, in a
 * transaction, or because the server is slow. A range that arrives excludes them. They
 * are kept in generations, each of which is forgotten as a whole.
 * <p>
 * Thread-safe: {@code generations} is a volatile list that never changes, and this
 * object's lock guards the numbers. A number that was just noted is noted again without
 * the lock. A sequence takes this lock while it holds its own, never the reverse.
 */
public final class ChosenNumbers {

	private final ChosenMemory memory;

	// The numbers whose database is not known, which count in all databases, or null.
	private final @Nullable ChosenNumbers ofAllDatabases;

	// The youngest one first.
	private volatile List<Generation> generations = List.of();

	ChosenNumbers(ChosenMemory memory, @Nullable ChosenNumbers ofAllDatabases) {
		this.memory = memory;
		this.ofAllDatabases = ofAllDatabases;
	}

	/**
	 * Returns the numbers of the sequence with the same name in one database.
	 */
	public ChosenNumbers inDatabase() {
		return new ChosenNumbers(this.memory, this);
	}

	/**
	 * Notes a number. It is remembered from now on for at least
	 * {@link ChosenMemory#REMEMBERED}, even if it was noted before.
	 */
	public void add(long number) {
		List<Generation> all = this.generations;
		if (all.isEmpty() || !all.get(0).isJustNoted(number, this.memory.nanoTime())) {
			note(number);
		}
	}

	private synchronized void note(long number) {
		long now = this.memory.nanoTime();
		List<Generation> all = this.generations;
		if (all.isEmpty() || all.get(0).isFull(now)) {
			all = Stream.concat(Stream.of(new Generation(now)), all.stream()).toList();
			this.generations = all;
			this.memory.use(this);
		}
		all.get(0).note(number, now);
		int share = this.memory.share();
		if (size() > share) {
			// More than one, so that this is not due again with the next number.
			giveUpGaps(share - share / 8);
		}
	}

	private int size() {
		int size = 0;
		for (Generation generation : this.generations) {
			size += generation.numbers.size();
		}
		return size;
	}

	private void giveUpGaps(int most) {
		Intervals.reduce(this.generations.stream().map((generation) -> generation.numbers).toList(), most);
	}

	/**
	 * Forgets the generations whose time is over, and gives up gaps if there are more
	 * intervals than the sequence's share.
	 */
	synchronized void forget() {
		long now = this.memory.nanoTime();
		this.generations = this.generations.stream().filter((generation) -> !generation.isOver(now)).toList();
		if (this.generations.isEmpty()) {
			this.memory.free(this);
		}
		else {
			giveUpGaps(this.memory.share());
		}
	}

	/**
	 * Adds those of the numbers between two others that are remembered to a set.
	 */
	synchronized void addTo(Intervals set, long first, long last) {
		this.generations.forEach((generation) -> generation.numbers.addTo(set, first, last));
		if (this.ofAllDatabases != null) {
			this.ofAllDatabases.addTo(set, first, last);
		}
	}

	/**
	 * The numbers of some time. The lock of the sequence's numbers guards all changes.
	 */
	static final class Generation {

		private final long beganNanos;

		private final Intervals numbers = new Intervals();

		private volatile long notedNanos;

		Generation(long nowNanos) {
			this.beganNanos = nowNanos;
		}

		boolean isFull(long nowNanos) {
			return nowNanos - this.beganNanos > ChosenMemory.GENERATION.toNanos();
		}

		void note(long number, long nowNanos) {
			this.numbers.add(number, number);
			this.notedNanos = nowNanos;
		}

		/**
		 * Returns whether a number would be remembered long enough if it was chosen now.
		 */
		boolean isJustNoted(long number, long nowNanos) {
			return nowNanos - this.notedNanos < ChosenMemory.JUST_NOTED.toNanos() && !isFull(nowNanos)
					&& this.numbers.has(number);
		}

		boolean isOver(long nowNanos) {
			return nowNanos - this.notedNanos > ChosenMemory.REMEMBERED.plus(ChosenMemory.JUST_NOTED).toNanos();
		}

	}

}

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
 * object's lock guards the numbers. A sequence takes this lock while it holds its own,
 * never the reverse.
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
	 * Returns whether a number need not be added again, because it would not be
	 * remembered for longer. Takes no lock.
	 */
	boolean isJustNoted(long number) {
		List<Generation> all = this.generations;
		return !all.isEmpty() && all.get(0).isJustNoted(number, this.memory.looks());
	}

	/**
	 * Notes a number. It is remembered from now on for {@link ChosenMemory#REMEMBERED}
	 * looks, even if it was noted before.
	 */
	public void add(long number) {
		synchronized (this) {
			youngest().note(number, this.memory.looks());
			// Each time, because an error may have kept the last look from being planned.
			this.memory.use(this);
			int share = this.memory.share();
			if (size() > share) {
				// More than one, so that this is not due again with the next number.
				giveUpGaps(share - share / 8);
			}
		}
	}

	private Generation youngest() {
		List<Generation> all = this.generations;
		if (all.isEmpty() || all.get(0).isFull(this.memory.looks())) {
			all = Stream.concat(Stream.of(new Generation(this.memory.looks())), all.stream()).toList();
			this.generations = all;
		}
		return all.get(0);
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
		int look = this.memory.looks();
		this.generations = this.generations.stream().filter((generation) -> !generation.isOver(look)).toList();
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

		private final int beganAt;

		private final Intervals numbers = new Intervals();

		// The look before the last number was noted.
		private volatile int notedAt;

		Generation(int look) {
			this.beganAt = look;
			this.notedAt = look;
		}

		boolean isFull(int look) {
			return look - this.beganAt >= ChosenMemory.GENERATION;
		}

		void note(long number, int look) {
			this.numbers.add(number, number);
			this.notedAt = look;
		}

		boolean isJustNoted(long number, int look) {
			return look == this.notedAt && this.numbers.has(number);
		}

		boolean isOver(int look) {
			return look - this.notedAt > ChosenMemory.REMEMBERED;
		}

	}

}

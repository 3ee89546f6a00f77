package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a sequence holds: the current one and those that follow it. It also
 * remembers the highest number issued from earlier ranges. A range is cut into segments,
 * and each segment has a cursor of its own. A segment ends before an excluded number, and
 * one number before the half of a range if the sequence is busy ({@link Demand#segment}).
 * For example, 1 to 32 of a busy sequence, with 9 excluded, are the segments 1 to 8, 10
 * to 15, and 16 to 32.
 * <p>
 * Thread-safe for {@link #mayIssue}: {@code current} and {@code next} are volatile. The
 * lock of the sequence guards everything else. Callers without the lock use only the
 * current cursor, which decides who gets a number.
 * <p>
 * A caller that is served under the lock gets its numbers from a cursor that no other
 * thread has seen ({@link #renewSegment()}), because {@link RangeSequence} publishes the
 * current cursor only at the end of a step. So nobody takes a number between the decision
 * to serve that caller and the take.
 */
final class HeldRanges {

	private static final String RAISED = "the counter was raised";

	private final Demand demand;

	// What the application has chosen, which ranges that arrive exclude.
	private final ChosenNumbers chosen;

	private volatile RangeCursor current = RangeCursor.EMPTY;

	// The ranges that follow the current one: a range that was reserved in advance, and
	// another one if a block needs more than both have.
	private volatile List<HeldRange> next = List.of();

	// The floor to which the counter was raised. No number up to it is issued any more.
	private long raisedTo;

	// The highest number issued from ranges that are no longer current.
	private long lastIssued;

	// How many numbers were issued from segments that are no longer current.
	private long issued;

	HeldRanges(Demand demand, ChosenNumbers chosen) {
		this.demand = demand;
		this.chosen = chosen;
	}

	RangeCursor current() {
		return this.current;
	}

	boolean hasNext() {
		return !this.next.isEmpty();
	}

	/**
	 * Lets a caller take its numbers from the current segment, beside callers that take
	 * without the lock. If the caller has left, the numbers become a gap.
	 * @return whether the caller took all of them
	 */
	boolean takeFromSegment(Waiter waiter) {
		HeldRange held = this.current.held();
		if (waiter.isTaking() && held.isCoveredFor(waiter) && waiter.takeAllFrom(this.current)) {
			held.use(waiter.place(), this.current.min());
			return true;
		}
		return false;
	}

	/**
	 * Ends the current segment, and begins another one with the numbers that are left.
	 * Its cursor is published at the end of the step.
	 */
	void renewSegment() {
		startSegment(this.current.held(), endCursor() + 1);
	}

	/**
	 * Finds the first range from which a caller would take and that is not covered in the
	 * caller's place.
	 */
	@Nullable HeldRange uncoveredFor(Waiter waiter) {
		long missing = waiter.toBeHeld();
		for (HeldRange held : ranges().toList()) {
			long left = unissuedIn(held);
			if (missing > 0 && left > 0 && !held.isCoveredFor(waiter)) {
				return held;
			}
			missing -= left;
		}
		return null;
	}

	/**
	 * Finds numbers of the current range that are adjacent, with no excluded one among
	 * them.
	 * @return the first of them, or {@link RangeCursor#NONE}
	 */
	long firstAdjacent(long count) {
		long max = this.current.range().max();
		Intervals excluded = this.current.held().excluded();
		long first = excluded.firstMissing(first(this.current.held()));
		while (first <= max) {
			long last = excluded.lastMissing(first, max);
			if (last - first + 1 >= count) {
				return first;
			}
			first = excluded.firstMissing(last + 1);
		}
		return RangeCursor.NONE;
	}

	/**
	 * Begins a segment of the current range with a number. The numbers before it become a
	 * gap.
	 */
	void skipTo(long first) {
		HeldRange held = this.current.held();
		endCursor();
		startSegment(held, first);
	}

	/**
	 * Lets a caller take all its numbers. Call {@link #renewSegment()} before.
	 */
	void take(Waiter waiter, long nowNanos) {
		while (!waiter.takeFrom(this.current)) {
			if (this.current.end() < this.current.range().max()) {
				renewSegment();
			}
			else {
				makeCurrent(this.next.get(0), nowNanos);
				this.next = this.next.stream().skip(1).toList();
			}
		}
		if (waiter.isTaking()) {
			this.current.held().use(waiter.place(), this.current.min());
		}
	}

	/**
	 * Covers a held range in a place: excludes the numbers up to the highest stored one
	 * that are not issued yet, and then adds the place.
	 * @param stored the highest number that a document of the place has, or 0
	 * @return how many numbers of the range lie between those that were issued and those
	 * that follow the stored one
	 */
	long cover(HeldRange held, Place place, long stored) {
		renewSegment();
		long first = first(held);
		if (stored >= first) {
			excludeFrom(held, first, stored);
		}
		// Only now, because until here a cursor could issue stored numbers.
		held.cover(place);
		return Math.max(0, stored + 1 - first);
	}

	/**
	 * Excludes a number with which the application is about to store a document, if a
	 * held range can still issue it.
	 */
	void exclude(long number) {
		ranges().filter((held) -> held.mayIssue(number) && number >= first(held))
			.findFirst()
			.ifPresent((held) -> excludeFrom(held, number, number));
	}

	private void excludeFrom(HeldRange held, long first, long last) {
		if (!mayIssueFromCursor(held, first)) {
			held.exclude(first, last);
			return;
		}
		// Ends the cursor that other threads see, before one of its numbers is excluded.
		renewSegment();
		if (last >= this.current.min()) {
			try {
				held.exclude(Math.max(first, this.current.min()), last);
			}
			finally {
				// The new segment must end before the excluded numbers, even after an
				// error.
				renewSegment();
			}
		}
	}

	/**
	 * Returns whether the current cursor may issue a number that an exclusion from a
	 * first number on concerns. If the range has as many excluded intervals as it may
	 * have, the exclusion also closes the smallest gap between two, wherever that is.
	 */
	private boolean mayIssueFromCursor(HeldRange held, long first) {
		return held == this.current.held() && (first <= this.current.end() || held.isFullOfExcluded());
	}

	/**
	 * Returns whether a held range may issue a number, for any thread. A range becomes
	 * the current one before it leaves those that follow, so it is found in one of the
	 * two.
	 */
	boolean mayIssue(long number) {
		for (HeldRange held : this.next) {
			if (held.mayIssue(number)) {
				return true;
			}
		}
		return this.current.held().mayIssue(number);
	}

	boolean isHeld(HeldRange range) {
		return ranges().anyMatch((held) -> held == range);
	}

	private Stream<HeldRange> ranges() {
		return Stream.concat(Stream.of(this.current.held()), this.next.stream());
	}

	/**
	 * Returns the first number of a range that may be unissued.
	 */
	long first(HeldRange held) {
		return (held == this.current.held()) ? this.current.lastTaken() + 1 : held.range().min();
	}

	/**
	 * Returns how many numbers of a range are neither issued nor excluded. A segment
	 * forgets what was excluded below it.
	 */
	long unissuedIn(HeldRange held) {
		long first = first(held);
		long max = held.range().max();
		return (first > max) ? 0 : max + 1 - first - held.excluded().count();
	}

	/**
	 * Begins the next segment of a range: starts at the first number that can be issued,
	 * and ends before the next excluded one.
	 */
	private void startSegment(HeldRange held, long from) {
		long max = held.range().max();
		Intervals excluded = held.excluded();
		long first = Math.min(excluded.firstMissing(from), max + 1);
		long size = Math.min(this.demand.segment(held.range(), first), excluded.lastMissing(first, max) + 1 - first);
		excluded.removeBelow(first);
		this.current = new RangeCursor(held, first, size);
	}

	/**
	 * Adds a range behind the others, or makes it the current one if nothing is held.
	 */
	void add(HeldRange held, long nowNanos) {
		// The range is held before it reads the chosen numbers. Whoever chooses a number
		// from now on finds the range, and excludes the number.
		List<HeldRange> before = this.next;
		this.next = Stream.concat(before.stream(), Stream.of(held)).toList();
		boolean excluded = false;
		try {
			held.excludeChosen(this.chosen);
			excluded = true;
		}
		finally {
			if (!excluded) {
				this.next = before;
			}
		}
		boolean nothingElseIsLeft = unissued() == unissuedIn(held);
		if (nothingElseIsLeft) {
			makeCurrent(held, nowNanos);
			this.next = List.of();
		}
	}

	private void makeCurrent(HeldRange held, long nowNanos) {
		this.demand.rangeStarts(this.current.range().size() > 0, nowNanos);
		seal();
		startSegment(held, held.range().min());
	}

	/**
	 * Returns whether a range lies above everything to which the counter was raised. The
	 * answer of a reservation can arrive after the answer of a later raise.
	 */
	boolean mayUse(ReservedRange range) {
		return range.min() > this.raisedTo;
	}

	/**
	 * Discards the ranges that have a number up to the floor. They cannot be returned,
	 * because the raise put a newer grant on top of theirs.
	 */
	void discardUpTo(long floor, Step step) {
		this.raisedTo = Math.max(this.raisedTo, floor);
		this.next.stream()
			.map(HeldRange::range)
			.filter((range) -> range.min() <= floor)
			.forEach((range) -> step.discarded(range.min(), range.max(), RAISED));
		this.next = this.next.stream().filter((held) -> held.range().min() > floor).toList();
		long max = this.current.range().max();
		boolean hasNumbersUpToFloor = this.current.lastTaken() < Math.min(floor, max);
		if (hasNumbersUpToFloor) {
			step.discarded(seal() + 1, max, RAISED);
		}
	}

	/**
	 * Seals all ranges, and holds nothing any more. What is returned begins above the
	 * highest excluded number, because the document with that number may be on its way,
	 * and the find of another process would not see it.
	 * @return the numbers to return, or {@code null} if there are none
	 */
	@Nullable RangeReturn sealAll(Step step) {
		ReservedRange top = this.current.range();
		long highestExcluded = ranges().mapToLong((held) -> held.excluded().highest()).max().orElse(0);
		long last = seal();
		for (HeldRange held : this.next) {
			ReservedRange range = held.range();
			if (!range.isDirectlyOnTopOf(top)) {
				// Other processes may have the numbers between the two ranges, so what is
				// left of the lower one is lost.
				step.discarded(last + 1, top.max(), "the range above it was not granted directly on top");
				last = range.min() - 1;
			}
			top = range;
		}
		this.next = List.of();
		this.demand.reset();
		long excluded = Math.max(last, highestExcluded);
		step.discarded(last + 1, excluded, "some of these numbers are excluded");
		return (excluded < top.max()) ? new RangeReturn(excluded, top.max(), top.grants(), step.commandDeadline())
				: null;
	}

	private long seal() {
		long last = endCursor();
		if (last >= this.current.range().min()) {
			this.lastIssued = Math.max(this.lastIssued, last);
		}
		this.current = RangeCursor.EMPTY;
		return last;
	}

	private long endCursor() {
		long last = this.current.seal();
		this.issued += last + 1 - this.current.min();
		if (last >= this.current.min()) {
			this.current.held().segmentEnded(last);
		}
		return last;
	}

	/**
	 * Returns how many numbers this process has issued, if the current cursor has issued
	 * those up to {@code last}.
	 */
	long issued(long last) {
		return this.issued + last + 1 - this.current.min();
	}

	/**
	 * Returns the highest number that was issued from earlier ranges, or to which the
	 * counter was raised. No later range issues a number up to it.
	 */
	long passed() {
		return Math.max(this.lastIssued, this.raisedTo);
	}

	/**
	 * Returns the highest number that this process has issued, holds, or must not issue
	 * because of a raise, or 0.
	 */
	long highestKnown() {
		return Math.max(passed(),
				hasNext() ? this.next.get(this.next.size() - 1).range().max() : this.current.range().max());
	}

	/**
	 * Returns whether some caller can take a number of what is held.
	 * @param checked whether the range must be covered in the caller's place
	 */
	boolean canIssue(boolean checked) {
		return ranges().anyMatch((held) -> unissuedIn(held) > 0 && (!checked || held.isCoveredSomewhere()));
	}

	long unissued() {
		return ranges().mapToLong(this::unissuedIn).sum();
	}

	/**
	 * Returns what a snapshot shows of the current range.
	 * @param last the last number that was issued
	 */
	SequenceSnapshot.@Nullable Range show(long last) {
		return this.current.held().show(this.current.min(), last);
	}

	SequenceSnapshot.@Nullable Range showNext() {
		if (!hasNext()) {
			return null;
		}
		HeldRange first = this.next.get(0);
		return first.show(first.range().min(), first.range().min() - 1);
	}

}

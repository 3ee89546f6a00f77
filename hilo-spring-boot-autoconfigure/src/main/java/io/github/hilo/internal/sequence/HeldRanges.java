package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a sequence holds: the current one, those that follow it, and the
 * high-water marks of earlier ones. Not thread-safe: the lock of its sequence guards it.
 * Callers that need no lock share the cursor in use alone, and it decides who gets a
 * number.
 * <p>
 * Whoever is served under the lock is served from a cursor that nobody else has seen
 * ({@link #close()}), so that nothing is taken between the decision and the take.
 */
final class HeldRanges {

	private static final String RAISED = "the counter was raised";

	private final Demand demand;

	private RangeCursor current = RangeCursor.EMPTY;

	// The ranges that follow the current one: one that was reserved ahead, and another if
	// a block needs more than both have.
	private List<HeldRange> next = List.of();

	private final LeftOut leftOut = new LeftOut();

	// What the counter was raised to: no number up to it is issued any more.
	private long raisedTo;

	// The highest number issued from ranges that are no longer current.
	private long lastIssued;

	// How many numbers were issued from segments that are no longer current.
	private long issued;

	HeldRanges(Demand demand) {
		this.demand = demand;
	}

	RangeCursor current() {
		return this.current;
	}

	boolean hasNext() {
		return !this.next.isEmpty();
	}

	/**
	 * Serves a caller from the segment in use, beside those who take without the lock.
	 */
	boolean serveFromSegment(Waiter waiter, Step step) {
		boolean taken = waiter.isTaking() && this.current.held().isFreeIn(waiter.place())
				&& waiter.block().takeAllFrom(this.current);
		if (taken && waiter.settle()) {
			step.serve(waiter, null);
		}
		return taken;
	}

	/**
	 * Ends the segment in use: until the step is over, nobody takes without the lock.
	 */
	void close() {
		goOn(this.current.held(), endCursor() + 1);
	}

	/**
	 * Serves a caller all numbers that it needs, or none. Call after {@link #close()}.
	 * Ranges that it would take from and that are not known to be free where the numbers
	 * go are asked for that.
	 * @return whether the caller is done, be it that it has left
	 */
	boolean serve(Waiter waiter, Step step) {
		if (waiter.needed() > held()) {
			waiter.waitFor(Deadline.Phase.RANGE);
			return false;
		}
		if (!isFree(waiter, step)) {
			waiter.waitFor(Deadline.Phase.CHECK);
			return false;
		}
		if (waiter.settle()) {
			take(waiter.block(), step.nanos());
			step.serve(waiter, null);
		}
		return true;
	}

	private boolean isFree(Waiter waiter, Step step) {
		boolean free = true;
		long missing = waiter.needed();
		Place place = waiter.place();
		for (HeldRange held : ranges().toList()) {
			long left = left(held);
			if (missing > 0 && left > 0 && place != null && !held.isFreeIn(place)) {
				held.find(place, first(held), step);
				free = false;
			}
			missing -= left;
		}
		return free;
	}

	private void take(NumberBlock block, long nowNanos) {
		block.takeFrom(this.current);
		while (!block.isFull()) {
			if (this.current.end() < this.current.range().max()) {
				close();
			}
			else {
				start(this.next.get(0), nowNanos);
				this.next = this.next.stream().skip(1).toList();
			}
			block.takeFrom(this.current);
		}
	}

	/**
	 * A find was answered: numbers are issued from behind the highest that is stored, and
	 * then the range is free in that place.
	 */
	void found(Operation.Find find, long stored) {
		HeldRange held = find.range();
		if (ranges().anyMatch((other) -> other == held)) {
			close();
			long first = first(held);
			if (stored >= first) {
				leaveOut(first, stored);
			}
		}
		// Not before the cursor is sealed that would issue what is stored.
		held.foundFree(find.place());
	}

	/**
	 * Leaves out those of some numbers that are not issued yet. The segment in use ends
	 * where it would issue one of them.
	 */
	void leaveOut(long first, long last) {
		if (first > this.current.end()) {
			this.leftOut.add(first, last);
			return;
		}
		close();
		if (last >= this.current.min()) {
			this.leftOut.add(Math.max(first, this.current.min()), last);
			close();
		}
	}

	/**
	 * Goes on behind the last number of the current range that is left out.
	 */
	void passLeftOut() {
		HeldRange held = this.current.held();
		close();
		goOn(held, Math.max(this.current.min(), this.leftOut.lastUpTo(held.range().max()) + 1));
	}

	private Stream<HeldRange> ranges() {
		return Stream.concat(Stream.of(this.current.held()), this.next.stream());
	}

	/**
	 * The first number of a range that may be unissued.
	 */
	private long first(HeldRange held) {
		return (held == this.current.held()) ? this.current.lastTaken() + 1 : held.range().min();
	}

	private long left(HeldRange held) {
		long first = first(held);
		long max = held.range().max();
		return (first > max) ? 0 : max + 1 - first - this.leftOut.count(first, max);
	}

	/**
	 * Goes on with a segment of a range, which begins behind the numbers that are left
	 * out there and ends before the next of them.
	 */
	private void goOn(HeldRange held, long from) {
		long max = held.range().max();
		long first = Math.min(this.leftOut.firstBehind(from), max + 1);
		long size = Math.min(this.demand.segment(held.range(), first), this.leftOut.lastBefore(first, max) + 1 - first);
		this.current = new RangeCursor(held, first, size);
		// Not before the cursor that leaves them out is in place.
		this.leftOut.forgetBelow(first);
	}

	/**
	 * Keeps a range: behind the others, or as the current one where that is used up.
	 */
	void keep(HeldRange held, long nowNanos) {
		if (held() > 0) {
			this.next = Stream.concat(this.next.stream(), Stream.of(held)).toList();
		}
		else {
			this.next = List.of();
			start(held, nowNanos);
		}
	}

	private void start(HeldRange held, long nowNanos) {
		this.demand.rangeStarts(this.current.range().size() > 0, nowNanos);
		seal();
		goOn(held, held.range().min());
	}

	/**
	 * Whether a range lies above all that the counter was raised to. One that was granted
	 * before a raise can be answered after it.
	 */
	boolean mayUse(ReservedRange range) {
		return range.min() > this.raisedTo;
	}

	/**
	 * Discards the ranges that hold a number up to the floor. They cannot be returned:
	 * the counter has another grant now.
	 */
	void discardUpTo(long floor, Step step) {
		this.raisedTo = Math.max(this.raisedTo, floor);
		this.next.stream()
			.map(HeldRange::range)
			.filter((range) -> range.min() <= floor)
			.forEach((range) -> step.discarded(range.min(), range.max(), RAISED));
		this.next = this.next.stream().filter((held) -> held.range().min() > floor).toList();
		if (this.current.lastTaken() < Math.min(floor, this.current.range().max())) {
			long max = this.current.range().max();
			step.discarded(seal() + 1, max, RAISED);
		}
	}

	/**
	 * Seals what is held and holds nothing.
	 */
	@Nullable RangeReturn sealAll(Step step) {
		ReservedRange top = this.current.range();
		long last = seal();
		for (HeldRange held : this.next) {
			ReservedRange range = held.range();
			if (!range.isDirectlyOnTopOf(top)) {
				// Numbers of others may lie between, so what is left of the lower range
				// is lost.
				step.discarded(last + 1, top.max(), "the range above it was not granted directly on top");
				last = range.min() - 1;
			}
			top = range;
		}
		this.next = List.of();
		this.demand.reset();
		return (last < top.max()) ? new RangeReturn(last, top.max(), top.grants(), step.commandDeadline()) : null;
	}

	/**
	 * Ends the current range.
	 */
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
		return last;
	}

	/**
	 * How many numbers this process has issued.
	 */
	long issued(long last) {
		return this.issued + last + 1 - this.current.min();
	}

	/**
	 * The number up to which none is issued any more, the cursor in use apart.
	 */
	long passed() {
		return Math.max(this.lastIssued, this.raisedTo);
	}

	/**
	 * The highest number that this process has issued, holds or must not issue, or 0.
	 */
	long highestKnown() {
		return Math.max(passed(),
				hasNext() ? this.next.get(this.next.size() - 1).range().max() : this.current.range().max());
	}

	/**
	 * The highest number that is known or left out, or 0.
	 */
	long highestLeftOut() {
		return Math.max(highestKnown(), this.leftOut.highest());
	}

	/**
	 * The last of the numbers directly above one that are left out, or that number.
	 */
	long lastLeftOutAbove(long number) {
		return this.leftOut.firstBehind(number + 1) - 1;
	}

	/**
	 * How many numbers can be issued.
	 */
	long held() {
		return ranges().mapToLong(this::left).sum();
	}

	/**
	 * Where the numbers of the current range go.
	 */
	Stream<Place> places() {
		return this.current.held().used();
	}

	SequenceSnapshot.@Nullable Range showCurrent(long last) {
		return show(this.current.range(), this.current.held().reservedAt(), last);
	}

	SequenceSnapshot.@Nullable Range showNext() {
		return hasNext()
				? show(this.next.get(0).range(), this.next.get(0).reservedAt(), this.next.get(0).range().min() - 1)
				: null;
	}

	private static SequenceSnapshot.@Nullable Range show(ReservedRange range, Instant reservedAt, long last) {
		return (range.size() == 0) ? null
				: new SequenceSnapshot.Range(range.min(), range.max(), (last < range.min()) ? null : last,
						range.max() - last, reservedAt, range.serverPrefix().isEmpty() ? null : range.serverPrefix());
	}

}

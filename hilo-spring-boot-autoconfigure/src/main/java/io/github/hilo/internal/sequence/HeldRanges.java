package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a sequence holds: the current one, the prefetched one, and the
 * high-water marks of earlier ones. Not thread-safe: its sequence's lock guards it. The
 * cursor of the current range alone is shared with takers that need no lock, and decides
 * who gets a number.
 */
final class HeldRanges {

	private static final int MOST_RECENT = 8;

	private static final String RAISED = "the counter was raised";

	private final Demand demand;

	private RangeCursor current = RangeCursor.empty();

	// The range that follows the current one, if it was reserved already.
	private @Nullable HeldRange next;

	// The ranges that were reserved lately, the last one first.
	private List<HeldRange> recent = List.of();

	// What the counter was raised to: no number up to it is issued any more.
	private long raisedTo;

	// The highest number issued from ranges that are no longer current.
	private long lastIssued;

	// How many numbers were issued from ranges that are no longer current.
	private long issued;

	HeldRanges(Demand demand) {
		this.demand = demand;
	}

	RangeCursor current() {
		return this.current;
	}

	@Nullable HeldRange next() {
		return this.next;
	}

	List<HeldRange> recent() {
		return this.recent;
	}

	boolean hasNumber() {
		return this.next != null || this.current.lastTaken() < this.current.range().max();
	}

	long remaining() {
		return this.current.range().max() - this.current.lastTaken();
	}

	boolean hasNext() {
		return this.next != null;
	}

	boolean fill(NumberBlock block, long nowNanos) {
		while (!block.isFull()) {
			block.takeFrom(this.current);
			if (!block.isFull() && !moveOn(nowNanos)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Moves on from a segment that is used up: to the rest of its range, or to the next
	 * range.
	 */
	private boolean moveOn(long nowNanos) {
		if (this.current.end() < this.current.range().max()) {
			this.current = rest(this.current, this.current.end() + 1);
			return true;
		}
		HeldRange held = this.next;
		this.next = null;
		if (held != null) {
			start(held, nowNanos);
		}
		return held != null;
	}

	private RangeCursor rest(RangeCursor cursor, long from) {
		return cursor.rest(from, this.demand.nextSegment(cursor.range().max() + 1 - from));
	}

	/**
	 * Goes on behind a number of a range, below which documents were found. Those between
	 * are never issued.
	 */
	void skip(HeldRange range, long number) {
		if (this.current.held() == range && this.current.lastTaken() < number) {
			long last = this.current.seal();
			long skipped = Math.max(last, Math.min(number, range.range().max()));
			this.issued -= skipped - last;
			this.current = rest(this.current, skipped + 1);
		}
	}

	/**
	 * Keeps a range: as the next one, or as the current one where that is used up.
	 */
	boolean keep(HeldRange held, long nowNanos) {
		this.recent = Stream.concat(Stream.of(held), this.recent.stream()).limit(MOST_RECENT).toList();
		boolean later = this.current.lastTaken() < this.current.range().max();
		if (later) {
			this.next = held;
		}
		else {
			start(held, nowNanos);
		}
		return !later;
	}

	private void start(HeldRange held, long nowNanos) {
		this.demand.rangeStarts(this.current.range().size() > 0, nowNanos);
		seal();
		this.current = RangeCursor.first(held, this.demand.firstSegment(held.range().size()));
	}

	/**
	 * Lets the next take look whether it is time to try again.
	 */
	void endSegment() {
		if (this.current.lastTaken() < this.current.range().max()) {
			this.current = this.current.rest(this.current.seal() + 1, 0);
		}
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
		if (this.next != null && this.next.range().min() <= floor) {
			step.discarded(this.next.range().min(), this.next.range().max(), RAISED);
			this.next = null;
		}
		if (this.current.lastTaken() < Math.min(floor, this.current.range().max())) {
			long max = this.current.range().max();
			step.discarded(seal() + 1, max, RAISED);
		}
	}

	/**
	 * Seals what is held and holds nothing.
	 */
	@Nullable RangeReturn sealAll(Step step, Duration timeout) {
		ReservedRange top = this.current.range();
		long last = seal();
		if (this.next != null) {
			ReservedRange range = this.next.range();
			if (!range.isDirectlyOnTopOf(top)) {
				// Numbers of others may lie between, so what is left of the lower range
				// is lost.
				step.discarded(last + 1, top.max(), "the range above it was not granted directly on top");
				last = range.min() - 1;
			}
			top = range;
			this.next = null;
		}
		this.demand.reset();
		return (last < top.max()) ? new RangeReturn(last, top.max(), top.grants(), step.deadline(timeout)) : null;
	}

	/**
	 * Holds again what a caller has that will not use it.
	 */
	void putBack(NumberBlock block, Step step) {
		block.restart((run) -> {
			RangeCursor cursor = this.current;
			boolean usedUp = run.last() == run.range().range().max() && cursor.lastTaken() == cursor.range().max();
			boolean untouched = this.next == null && cursor.lastTaken() < cursor.range().min();
			if (usedUp && cursor.held() == run.range()) {
				this.current = cursor.rest(run.first(), run.count());
			}
			else if (untouched && cursor.held() != run.range() && run.last() == run.range().range().max()) {
				this.next = (cursor.range().size() > 0) ? cursor.held() : null;
				this.issued -= run.range().range().size();
				this.current = RangeCursor.first(run.range(), 0).rest(run.first(), run.count());
			}
			else {
				step.discarded(run.first(), run.last(), "a caller that took it has left");
			}
		});
	}

	/**
	 * Ends the current range.
	 */
	private long seal() {
		RangeCursor cursor = this.current;
		long last = cursor.seal();
		this.current = RangeCursor.empty();
		cursor.held().seal(last);
		if (last >= cursor.range().min()) {
			this.lastIssued = Math.max(this.lastIssued, last);
			this.issued += last - cursor.range().min() + 1;
		}
		return last;
	}

	/**
	 * How many numbers this process has issued.
	 */
	long issued(long last) {
		return this.issued + last - this.current.range().min() + 1;
	}

	/**
	 * The highest number that this process has issued, holds or must not issue, or 0.
	 */
	long highestKnown() {
		return Math.max(Math.max(this.lastIssued, this.raisedTo),
				(this.next != null) ? this.next.range().max() : this.current.range().max());
	}

	long held() {
		return remaining() + ((this.next != null) ? this.next.range().size() : 0);
	}

	SequenceSnapshot.@Nullable Range showCurrent(long last) {
		return show(this.current.range(), this.current.held().reservedAt(), last);
	}

	SequenceSnapshot.@Nullable Range showNext() {
		return (this.next != null) ? show(this.next.range(), this.next.reservedAt(), this.next.range().min() - 1)
				: null;
	}

	private static SequenceSnapshot.@Nullable Range show(ReservedRange range, Instant reservedAt, long last) {
		return (range.size() == 0) ? null
				: new SequenceSnapshot.Range(range.min(), range.max(), (last < range.min()) ? null : last,
						range.max() - last, reservedAt, range.serverPrefix().isEmpty() ? null : range.serverPrefix());
	}

}

package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that a sequence holds: the current one, those that follow it, and the
 * high-water marks of earlier ones. Not thread-safe: its sequence's lock guards it. The
 * cursor of the current range alone is shared with takers that need no lock, and decides
 * who gets a number.
 */
final class HeldRanges {

	private static final int MOST_RECENT = 8;

	private static final String RAISED = "the counter was raised";

	private final Demand demand;

	private RangeCursor current = RangeCursor.empty();

	// The ranges that follow the current one: one that was reserved ahead, and another if
	// a block needs more than both have.
	private List<HeldRange> next = List.of();

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

	List<HeldRange> next() {
		return this.next;
	}

	List<HeldRange> recent() {
		return this.recent;
	}

	boolean hasNumber() {
		return hasNext() || this.current.lastTaken() < this.current.range().max();
	}

	boolean hasNext() {
		return !this.next.isEmpty();
	}

	/**
	 * Takes all numbers of a block, or none: while it waits, others can take what is
	 * held, and the application can set an id of it.
	 */
	boolean fill(NumberBlock block, long nowNanos) {
		if (block.isSeveral() && !block.takeAllFrom(this.current)) {
			endSegment();
			if (block.count() > held()) {
				return false;
			}
		}
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
		if (!hasNext()) {
			return false;
		}
		HeldRange held = this.next.get(0);
		this.next = this.next.stream().skip(1).toList();
		start(held, nowNanos);
		return true;
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
	 * Keeps a range: behind the others, or as the current one where that is used up.
	 * @return whether it is the current one, which nobody else has seen yet
	 */
	boolean keep(HeldRange held, long nowNanos) {
		this.recent = Stream.concat(Stream.of(held), this.recent.stream()).limit(MOST_RECENT).toList();
		boolean later = hasNumber();
		if (later) {
			this.next = Stream.concat(this.next.stream(), Stream.of(held)).toList();
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
	 * Lets nobody take a number without the lock, until the next take looks further.
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
	@Nullable RangeReturn sealAll(Step step, Duration timeout) {
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
		return (last < top.max()) ? new RangeReturn(last, top.max(), top.grants(), step.deadline(timeout)) : null;
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
				hasNext() ? this.next.get(this.next.size() - 1).range().max() : this.current.range().max());
	}

	long held() {
		return this.current.range().max() - this.current.lastTaken()
				+ this.next.stream().map(HeldRange::range).mapToLong(ReservedRange::size).sum();
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

package io.github.hilo.mongodb;

import java.time.Duration;

import com.mongodb.MongoOperationTimeoutException;
import io.github.hilo.store.TimeSource;

/**
 * By when an operation must have ended. Internal.
 *
 * @hidden
 */
public final class Deadline {

	private final TimeSource time;

	private final Duration whole;

	private final long nanos;

	public Deadline(Duration whole, TimeSource time) {
		this.time = time;
		this.whole = whole;
		this.nanos = time.nanoTime() + whole.toNanos();
	}

	public Duration left() {
		return Duration.ofNanos(Math.max(0, this.nanos - this.time.nanoTime()));
	}

	/**
	 * The time that is left, as the driver takes it, to which 0 is "no timeout".
	 * @throws MongoOperationTimeoutException if none is left
	 */
	public long millisLeft() {
		if (left().isZero()) {
			throw new MongoOperationTimeoutException("No time was left to send the command");
		}
		return 1 + left().toMillis();
	}

	/**
	 * The time that is left for tidying up, at least a ninth of the whole: callers wait
	 * that much longer.
	 */
	public Duration leftToTidyUp() {
		Duration least = this.whole.dividedBy(9);
		return (left().compareTo(least) > 0) ? left() : least;
	}

	/**
	 * The time that is left, and half of what callers wait longer: a command that has had
	 * all its time has failed by then.
	 */
	public Duration leftWithRoom() {
		return left().plus(this.whole.dividedBy(18));
	}

	/**
	 * Whether a command that is sent now has most of the time, so that it is slow itself
	 * if that does not suffice.
	 */
	public boolean isMostLeft() {
		return left().multipliedBy(2).compareTo(this.whole) >= 0;
	}

}

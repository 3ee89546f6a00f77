package io.github.hilo.mongodb;

import java.time.Duration;

import com.mongodb.MongoOperationTimeoutException;
import io.github.hilo.store.TimeSource;

/**
 * By when the commands of an operation must have ended, and by when the operation itself:
 * a tenth of that time later. Internal.
 *
 * @hidden
 */
public final class Deadline {

	private final TimeSource time;

	private final long nanos;

	private final Duration whole;

	private final Duration afterwards;

	public Deadline(Duration whole, TimeSource time) {
		this.time = time;
		this.nanos = time.nanoTime() + whole.toNanos();
		this.whole = whole;
		this.afterwards = whole.dividedBy(10);
	}

	public Deadline restarted() {
		return new Deadline(this.whole, this.time);
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
	 * The time that is left to return what cannot be used.
	 */
	public Duration leftToTidyUp() {
		return (left().compareTo(this.afterwards) > 0) ? left() : this.afterwards;
	}

	/**
	 * How long to wait for a command: one that has had all its time has failed by then.
	 */
	public Duration leftToWait() {
		return left().plus(this.afterwards.dividedBy(2));
	}

	/**
	 * Whether a command that is sent now has most of the time, so that it is slow itself
	 * if that does not suffice.
	 */
	public boolean isMostLeft() {
		return left().multipliedBy(2).compareTo(this.whole) >= 0;
	}

}

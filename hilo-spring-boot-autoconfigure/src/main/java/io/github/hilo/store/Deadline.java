package io.github.hilo.store;

import java.time.Duration;

/**
 * By when an operation must have ended. It is set when the operation is decided on, and
 * travels with it. Internal.
 *
 * @hidden
 */
public final class Deadline {

	private final TimeSource time;

	private final long nanos;

	private final Duration whole;

	/**
	 * Creates a deadline that counts from now on.
	 * @param whole how long the operation may take
	 * @param time the clock
	 */
	public Deadline(Duration whole, TimeSource time) {
		this(whole, time.nanoTime(), time);
	}

	/**
	 * Creates a deadline.
	 * @param whole how long the operation may take
	 * @param beganNanos when it was decided on, by the clock
	 * @param time the clock
	 */
	public Deadline(Duration whole, long beganNanos, TimeSource time) {
		this.time = time;
		this.nanos = beganNanos + whole.toNanos();
		this.whole = whole;
	}

	/**
	 * Gives another operation as much time, from now on.
	 */
	public Deadline restarted() {
		return new Deadline(this.whole, this.time);
	}

	/**
	 * How long the operation may take in all.
	 */
	public Duration whole() {
		return this.whole;
	}

	public Duration left() {
		return Duration.ofNanos(Math.max(0, this.nanos - this.time.nanoTime()));
	}

	public boolean isOver() {
		return this.nanos - this.time.nanoTime() <= 0;
	}

	/**
	 * Gives time to return what cannot be used: what is left, or else a tenth of the
	 * whole.
	 */
	public Deadline toTidyUp() {
		Duration tenth = this.whole.dividedBy(10);
		return (left().compareTo(tenth) > 0) ? this : new Deadline(tenth, this.time);
	}

	/**
	 * How long to wait for a command: one that has had all its time has failed by then.
	 */
	public Duration leftToWait() {
		return left().plus(this.whole.dividedBy(20));
	}

	/**
	 * Whether a command that is sent now has most of the time, so that it is slow itself
	 * if that does not suffice.
	 */
	public boolean isMostLeft() {
		return left().multipliedBy(2).compareTo(this.whole) >= 0;
	}

}

package io.github.hilo.internal.store;

import java.time.Duration;

/**
 * By when a call, or a command, must have ended, and what the call waits for now. It is
 * made once, when that begins, and passed on.
 * <p>
 * Thread-safe: what changes is volatile.
 */
public final class Deadline {

	private final TimeSource time;

	private final long beganNanos;

	private final Duration whole;

	private volatile Phase phase = Phase.DATABASE;

	private volatile String database = "";

	/**
	 * Creates a deadline that counts from now on.
	 */
	public Deadline(Duration whole, TimeSource time) {
		this(whole, time.nanoTime(), time);
	}

	public Deadline(Duration whole, long beganNanos, TimeSource time) {
		this.time = time;
		this.beganNanos = beganNanos;
		this.whole = whole;
	}

	public Duration whole() {
		return this.whole;
	}

	public Duration left() {
		return Duration.ofNanos(Math.max(0, leftNanos()));
	}

	public boolean isOver() {
		return leftNanos() <= 0;
	}

	private long leftNanos() {
		return this.beganNanos + this.whole.toNanos() - this.time.nanoTime();
	}

	/**
	 * Gives time to return what cannot be used: what is left, or else a tenth of the
	 * whole.
	 */
	public Deadline toTidyUp() {
		Duration tenth = this.whole.dividedBy(10);
		return (left().compareTo(tenth) > 0) ? this : new Deadline(tenth, this.time);
	}

	public Deadline resolved(String database) {
		this.database = database;
		return this;
	}

	/**
	 * The call's database, or an empty string before it is resolved.
	 */
	public String database() {
		return this.database;
	}

	public void waitFor(Phase next) {
		this.phase = next;
	}

	public Phase phase() {
		return this.phase;
	}

	/**
	 * What a call waits for.
	 */
	public enum Phase {

		/**
		 * Its database, which a factory resolves.
		 */
		DATABASE,

		/**
		 * A range: its turn in the queue, and a reservation.
		 */
		RANGE,

		/**
		 * A find in the place where its numbers go.
		 */
		CHECK,

		/**
		 * A raise of the counter.
		 */
		RAISE

	}

}

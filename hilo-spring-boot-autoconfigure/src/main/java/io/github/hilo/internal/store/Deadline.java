package io.github.hilo.internal.store;

import java.time.Duration;

/**
 * The time by which a call or a command must have ended, and what the call waits for now.
 * A deadline is created when the call or command begins, and is passed on from there.
 * <p>
 * Thread-safe: {@code phase} and {@code database} are volatile, and all other fields are
 * final.
 */
public final class Deadline {

	private final TimeSource time;

	private final long beganNanos;

	private final Duration whole;

	private volatile Phase phase = Phase.DATABASE;

	private volatile String database = "";

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

	public void resolved(String database) {
		this.database = database;
	}

	/**
	 * Returns the name of the call's database, or an empty string until the database is
	 * resolved.
	 */
	public String database() {
		return this.database;
	}

	public void enter(Phase next) {
		this.phase = next;
	}

	public Phase phase() {
		return this.phase;
	}

	public enum Phase {

		DATABASE,

		RANGE,

		CHECK,

		RAISE

	}

}

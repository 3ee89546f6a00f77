package io.github.hilo.internal.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The time by which a call or a command must have ended, and what the call waits for now.
 * A deadline is created when the call or command begins, and is passed on from there.
 * <p>
 * Thread-safe: {@code phase}, {@code database} and {@code queueing} are volatile, and all
 * other fields are final.
 */
public final class Deadline {

	private final TimeSource time;

	private final long beganNanos;

	private final Duration whole;

	private volatile Phase phase = Phase.DATABASE;

	private volatile String database = "";

	// Of the commands that have this deadline, or of those for which the call waits.
	private volatile @Nullable Queueing queueing;

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
		return (this.phase == Phase.CHECK && queueing().isWaiting()) ? Phase.QUEUE : this.phase;
	}

	/**
	 * Records that the call waits for the commands that have another deadline.
	 */
	public void follow(Deadline commands) {
		this.queueing = commands.queueing();
	}

	/**
	 * Records that a command with this deadline waits to be sent.
	 */
	public void startWaiting() {
		queueing().change(1, this.time.nanoTime());
	}

	public void stopWaiting() {
		queueing().change(-1, this.time.nanoTime());
	}

	/**
	 * Returns how long commands have waited to be sent.
	 */
	public Duration waited() {
		return Duration.ofNanos(queueing().waitedNanos(this.time.nanoTime()));
	}

	private Queueing queueing() {
		Queueing known = this.queueing;
		if (known == null) {
			synchronized (this) {
				known = (this.queueing != null) ? this.queueing : new Queueing();
				this.queueing = known;
			}
		}
		return known;
	}

	public enum Phase {

		DATABASE,

		RANGE,

		/**
		 * The find of stored ids waits to be sent.
		 */
		QUEUE,

		CHECK,

		RAISE,

		/**
		 * The number is there, and subscribers of earlier ones of the same thread have
		 * not returned.
		 */
		ANSWER

	}

	/**
	 * The commands of one deadline that wait to be sent, and how long at least one of
	 * them has waited.
	 */
	private static final class Queueing {

		private int waiting;

		private long sinceNanos;

		private long waitedNanos;

		synchronized void change(int change, long nowNanos) {
			this.waitedNanos = waitedNanos(nowNanos);
			this.sinceNanos = nowNanos;
			this.waiting += change;
		}

		synchronized long waitedNanos(long nowNanos) {
			return this.waitedNanos + ((this.waiting > 0) ? nowNanos - this.sinceNanos : 0);
		}

		synchronized boolean isWaiting() {
			return this.waiting > 0;
		}

	}

}

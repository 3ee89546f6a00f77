package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * By when a call, or an operation, must have ended, and what it has spent its time on. It
 * is made once, when that begins, and passed on.
 * <p>
 * Thread-safe: what it was spent on is guarded by this object.
 */
public final class Deadline {

	private static final long SLOW_NANOS = 1_000_000;

	private final TimeSource time;

	private final long beganNanos;

	private final Duration whole;

	private Phase phase = Phase.DATABASE;

	private long phaseNanos;

	private @Nullable Map<Phase, Duration> earlier;

	private String database = "";

	private LongSupplier servedBefore = () -> 0;

	private Map<Phase, Duration> told = Map.of();

	private volatile long toldNanos;

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
		this.phaseNanos = beganNanos;
		this.toldNanos = beganNanos;
	}

	/**
	 * Gives another operation as much time, from now on.
	 */
	public Deadline restarted() {
		return new Deadline(this.whole, this.time);
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

	public synchronized Deadline resolved(String database) {
		this.database = database;
		return this;
	}

	/**
	 * The call's database, or an empty string before it is resolved.
	 */
	public synchronized String database() {
		return this.database;
	}

	/**
	 * Whether more than a millisecond has gone by that was not told yet.
	 */
	public boolean isSlow() {
		return this.time.nanoTime() - this.toldNanos > SLOW_NANOS;
	}

	/**
	 * Tells what the time was spent on since that was told last: a save can wait for
	 * several numbers.
	 */
	public synchronized Map<Phase, Duration> tell() {
		Map<Phase, Duration> before = this.told;
		this.told = spent();
		this.toldNanos = this.time.nanoTime();
		Map<Phase, Duration> since = new EnumMap<>(Phase.class);
		this.told.forEach((phase, spent) -> since.put(phase, spent.minus(before.getOrDefault(phase, Duration.ZERO))));
		return since;
	}

	public synchronized void waitFor(Phase next) {
		this.earlier = spent();
		this.phase = next;
		this.phaseNanos = this.time.nanoTime();
	}

	public synchronized void waitForRange(LongSupplier servedBefore) {
		waitFor(Phase.RANGE);
		this.servedBefore = servedBefore;
	}

	public synchronized Phase phase() {
		return this.phase;
	}

	public synchronized long servedBefore() {
		return this.servedBefore.getAsLong();
	}

	public synchronized Map<Phase, Duration> spent() {
		Map<Phase, Duration> spent = new EnumMap<>(Phase.class);
		if (this.earlier != null) {
			spent.putAll(this.earlier);
		}
		spent.merge(this.phase, Duration.ofNanos(this.time.nanoTime() - this.phaseNanos), Duration::plus);
		return spent;
	}

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
		 * A find that confirms what was taken.
		 */
		CHECK

	}

}

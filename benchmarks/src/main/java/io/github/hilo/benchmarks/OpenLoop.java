package io.github.hilo.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * Callers that ask for ids at a fixed rate, whether or not the ids before came in time.
 * <p>
 * Every call has its place in a schedule, and its latency counts from there: a caller
 * that waits makes the calls behind it late, and that is counted, too. A call that was
 * due but not made when the time was up counts with its age. The callers share the
 * schedule, so that one that the machine holds up delays one call and not its share of
 * all.
 */
final class OpenLoop {

	private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);

	private final IdSource source;

	private final Load load;

	private final long total;

	private final long rampNanos;

	private final long durationNanos;

	private final long startNanos;

	private final AtomicLong calls = new AtomicLong();

	private final AtomicLong issued = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private final Histogram ramp = new AtomicHistogram(LONGEST_NANOS, 3);

	private final Histogram steady = new AtomicHistogram(LONGEST_NANOS, 3);

	private final Histogram steadyInCall = new AtomicHistogram(LONGEST_NANOS, 3);

	/**
	 * When each wait ended, since the start.
	 */
	private final Queue<Long> waits = new ConcurrentLinkedQueue<>();

	private OpenLoop(IdSource source, Load load) {
		this.source = source;
		this.load = load;
		this.rampNanos = TimeUnit.MILLISECONDS.toNanos(load.rampMillis);
		this.durationNanos = this.rampNanos + TimeUnit.MILLISECONDS.toNanos(load.steadyMillis);
		this.total = load.rate * (load.rampMillis + load.steadyMillis) / 1000;
		// Every caller waits for the first call's time.
		this.startNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
	}

	/**
	 * Runs a load.
	 * @param source where the ids come from; nothing was asked of it yet
	 * @param load how many are asked for
	 * @return how late they came
	 */
	static Outcome run(IdSource source, Load load) throws InterruptedException {
		return new OpenLoop(source, load).run();
	}

	private Outcome run() throws InterruptedException {
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < this.load.callers; i++) {
			Thread caller = new Thread(this::call, "caller-" + i);
			caller.setDaemon(true);
			caller.start();
			callers.add(caller);
		}
		for (Thread caller : callers) {
			caller.join(TimeUnit.NANOSECONDS.toMillis(this.durationNanos) + 60_000);
			if (caller.isAlive()) {
				throw new IllegalStateException("A caller still waits for its id");
			}
		}
		List<Long> ends = new ArrayList<>(this.waits);
		Collections.sort(ends);
		return new Outcome(this.total, this.issued.get(), this.failed.get(), this.ramp, this.steady, this.steadyInCall,
				stalls(ends, 0, this.rampNanos), stalls(ends, this.rampNanos, Long.MAX_VALUE));
	}

	private void call() {
		for (long call = this.calls.getAndIncrement(); call < this.total; call = this.calls.getAndIncrement()) {
			long dueNanos = this.startNanos + (long) (call * (1e9 / this.load.rate));
			long beginNanos = await(dueNanos);
			long endNanos = beginNanos;
			if (beginNanos - this.startNanos <= this.durationNanos) {
				issue();
				endNanos = System.nanoTime();
				if (endNanos - beginNanos > this.load.roundTripNanos / 2) {
					this.waits.add(endNanos - this.startNanos);
				}
			}
			boolean steady = dueNanos - this.startNanos >= this.rampNanos;
			(steady ? this.steady : this.ramp).recordValue(Math.min(endNanos - dueNanos, LONGEST_NANOS));
			if (steady && endNanos != beginNanos) {
				this.steadyInCall.recordValue(Math.min(endNanos - beginNanos, LONGEST_NANOS));
			}
		}
	}

	private static long await(long dueNanos) {
		long nowNanos = System.nanoTime();
		while (nowNanos < dueNanos) {
			LockSupport.parkNanos(dueNanos - nowNanos);
			nowNanos = System.nanoTime();
		}
		return nowNanos;
	}

	private void issue() {
		try {
			this.source.next();
			this.issued.incrementAndGet();
		}
		catch (RuntimeException ex) {
			this.failed.incrementAndGet();
		}
	}

	/**
	 * Counts what was waited for: callers whose waits end together waited for the same.
	 */
	private Stalls stalls(List<Long> ends, long from, long to) {
		long count = 0;
		long last = Long.MIN_VALUE / 2;
		for (long end : ends) {
			if (end >= from && end < to) {
				if (end - last > this.load.roundTripNanos / 4) {
					count++;
				}
				last = end;
			}
		}
		return new Stalls(count, (count > 0) ? last : 0);
	}

	/**
	 * How many ids are asked for, by whom.
	 *
	 * @param callers threads
	 * @param rate ids per second, of all callers together
	 * @param rampMillis how long the start lasts
	 * @param steadyMillis how long is measured after it
	 * @param roundTripNanos to the server and back; a caller that is held up for more
	 * than half of it is taken to have waited for the server
	 */
	record Load(int callers, long rate, long rampMillis, long steadyMillis, long roundTripNanos) {
	}

	/**
	 * How often callers waited for the server.
	 *
	 * @param count how many waits, those for the same answer counted once
	 * @param lastNanos when the last one ended, since the start
	 */
	record Stalls(long count, long lastNanos) {
	}

	/**
	 * How late the ids came.
	 *
	 * @param scheduled how many were asked for
	 * @param issued how many came
	 * @param failed how many calls failed
	 * @param ramp latencies of the start, in nanoseconds
	 * @param steady latencies after it
	 * @param steadyInCall of these, what passed while the call was made: without what the
	 * machine took to start it in time, and without the wait behind other calls
	 * @param rampStalls waits of the start
	 * @param steadyStalls waits after it
	 */
	record Outcome(long scheduled, long issued, long failed, Histogram ramp, Histogram steady, Histogram steadyInCall,
			Stalls rampStalls, Stalls steadyStalls) {

		/**
		 * Whether the source was too slow for the rate, so that its latencies only show
		 * how long it was measured.
		 */
		boolean isSaturated() {
			return this.issued < this.scheduled * 0.98;
		}

	}

}

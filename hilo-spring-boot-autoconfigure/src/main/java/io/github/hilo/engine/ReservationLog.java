package io.github.hilo.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.hilo.store.Names;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when a sequence's reservations begin to fail and when they succeed again, once
 * each, and at level debug every reservation, return and raise. Internal.
 * <p>
 * Lines are written by one daemon thread, so an appender that blocks or throws harms no
 * caller. While it blocks, up to {@value #MAX_PENDING} lines are kept and later ones
 * discarded.
 * <p>
 * Thread-safe: what a sequence remembers is guarded by its own lock, under which lines
 * are only queued.
 *
 * @hidden
 */
public final class ReservationLog implements EngineListener {

	private static final int MAX_PENDING = 1_000;

	private static final Duration LAST_LINES = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(ReservationLog.class);

	private final TimeSource time;

	private final ThreadPoolExecutor writer = newWriter();

	/**
	 * Creates a log.
	 * @param time the clock
	 */
	public ReservationLog(TimeSource time) {
		this.time = time;
	}

	@Override
	public SequenceListener created(String database, String sequence, SequenceView view) {
		return new SequenceLog("sequence " + Names.quoted(sequence) + " of database " + Names.quoted(database));
	}

	/**
	 * Writes what is queued, for a second at most.
	 */
	@Override
	public void closed() {
		this.writer.shutdown();
		try {
			if (!this.writer.awaitTermination(LAST_LINES.toMillis(), TimeUnit.MILLISECONDS)) {
				this.writer.getQueue().clear();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static ThreadPoolExecutor newWriter() {
		ThreadPoolExecutor writer = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_PENDING), (task) -> {
					Thread thread = new Thread(null, task, "hilo-log", 0, false);
					thread.setDaemon(true);
					return thread;
				}, new ThreadPoolExecutor.DiscardPolicy());
		writer.allowCoreThreadTimeOut(true);
		return writer;
	}

	private final class SequenceLog implements SequenceListener {

		private final String sequence;

		private long failures;

		private long failingSinceNanos;

		SequenceLog(String sequence) {
			this.sequence = sequence;
		}

		@Override
		public synchronized void reserved(ReservedRange range, Duration time) {
			debug("Reserved {} to {} of {} in {}", range.min(), range.max(), this.sequence, readable(time));
			if (this.failures > 0) {
				String outage = readable(
						Duration.ofNanos(ReservationLog.this.time.nanoTime() - this.failingSinceNanos));
				long failed = this.failures;
				this.failures = 0;
				write(() -> logger.info("Reservations of {} succeed again after {}, in which {} failed", this.sequence,
						outage, failed));
			}
		}

		@Override
		public synchronized void reservationFailed(RuntimeException failure, Duration time) {
			debug("Reserved nothing of {} in {}: {}", this.sequence, readable(time), failure.getMessage());
			if (this.failures++ == 0) {
				this.failingSinceNanos = ReservationLog.this.time.nanoTime();
				write(() -> logger.warn("Reservations of {} began to fail: {}", this.sequence, failure.getMessage()));
			}
		}

		@Override
		public void returned(RangeReturn unused, ReturnOutcome outcome, Duration time) {
			if (outcome.failure() != null) {
				debug("The return of {} to {} of {} failed after {}: {}", unused.lastIssued() + 1, unused.max(),
						this.sequence, readable(time), outcome.failure());
			}
			else {
				debug(outcome.returned() ? "Returned {} to {} of {} in {}"
						: "Returned nothing: {} to {} of {} become a gap, after {}", unused.lastIssued() + 1,
						unused.max(), this.sequence, readable(time));
			}
		}

		@Override
		public void lost(RangeReturn unused, String why) {
			write(() -> logger.warn("Numbers {} to {} of {} could not be returned and become a gap: {}",
					unused.lastIssued() + 1, unused.max(), this.sequence, why));
		}

		@Override
		public void raised(long floor, @Nullable Long max, Duration time) {
			if (max != null) {
				debug("Raised the counter of {} to {} at least; it stands at {}, after {}", this.sequence, floor, max,
						readable(time));
			}
			else {
				debug("The counter of {} may not have been raised to {}, after {}", this.sequence, floor,
						readable(time));
			}
		}

		private void debug(String format, @Nullable Object... arguments) {
			if (logger.isDebugEnabled()) {
				write(() -> logger.debug(format, arguments));
			}
		}

		private void write(Runnable line) {
			ReservationLog.this.writer.execute(() -> {
				try {
					line.run();
				}
				catch (Throwable ex) {
					// There is nowhere to log that logging failed.
				}
			});
		}

		private static String readable(Duration time) {
			return Timeouts.readable(time.truncatedTo((time.toSeconds() > 0) ? ChronoUnit.SECONDS
					: (time.toMillis() > 0) ? ChronoUnit.MILLIS : ChronoUnit.MICROS));
		}

	}

}

package io.github.hilo.log;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.hilo.engine.EngineEvent;
import io.github.hilo.engine.EngineListener;
import io.github.hilo.engine.SequenceView;
import io.github.hilo.store.Names;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when a sequence's reservations begin to fail and when they succeed again, once
 * each, numbers that could not be returned, and at level debug every reservation, return
 * and raise. Internal.
 * <p>
 * Lines are written by one daemon thread, so an appender that blocks or throws harms no
 * caller. While it blocks, up to {@value #MAX_PENDING} lines are kept and later ones
 * discarded.
 * <p>
 * Thread-safe: outages are in a concurrent map, which lets one event at a time change
 * that of a sequence.
 *
 * @hidden
 */
public final class ReservationLog implements EngineListener, AutoCloseable {

	private static final int MAX_PENDING = 1_000;

	private static final Duration LAST_LINES = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(ReservationLog.class);

	private final TimeSource time;

	private final ThreadPoolExecutor writer = newWriter();

	private final Map<SequenceView, Outage> outages = new ConcurrentHashMap<>();

	/**
	 * Creates a log.
	 * @param time the clock
	 */
	public ReservationLog(TimeSource time) {
		this.time = time;
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

	/**
	 * Writes what is queued, for a second at most.
	 */
	@Override
	public void close() {
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

	@Override
	public void on(EngineEvent event) {
		if (event instanceof EngineEvent.ReservationEnded ended) {
			ended(ended);
		}
		else if (event instanceof EngineEvent.ReturnEnded ended) {
			ended(ended);
		}
		else if (event instanceof EngineEvent.RaiseEnded ended) {
			ended(ended);
		}
	}

	private void ended(EngineEvent.ReservationEnded ended) {
		String sequence = name(ended);
		if (ended.range() != null) {
			debug("Reserved {} to {} of {} in {}", ended.range().min(), ended.range().max(), sequence,
					readable(ended.time()));
			this.outages.computeIfPresent(ended.sequence(), (view, outage) -> {
				Duration lasted = Duration.ofNanos(this.time.nanoTime() - outage.sinceNanos());
				write(() -> logger.info("Reservations of {} succeed again after {}, in which {} failed", sequence,
						readable(lasted), outage.failures()));
				return null;
			});
		}
		else if (ended.failure() != null) {
			String failure = String.valueOf(ended.failure().getMessage());
			debug("Reserved nothing of {} in {}: {}", sequence, readable(ended.time()), failure);
			this.outages.compute(ended.sequence(), (view, outage) -> {
				if (outage != null) {
					return new Outage(outage.failures() + 1, outage.sinceNanos());
				}
				write(() -> logger.warn("Reservations of {} began to fail: {}", sequence, failure));
				return new Outage(1, this.time.nanoTime());
			});
		}
	}

	private void ended(EngineEvent.ReturnEnded ended) {
		String sequence = name(ended);
		long first = ended.unused().lastIssued() + 1;
		long last = ended.unused().max();
		if (ended.failure() != null) {
			String failure = String.valueOf(ended.failure().getMessage());
			if (ended.stopping()) {
				debug("Numbers {} to {} become a gap. {}", first, last, failure);
			}
			else {
				write(() -> logger.warn("Numbers {} to {} become a gap. {}", first, last, failure));
			}
		}
		else {
			debug(ended.returned() ? "Returned {} to {} of {} in {}"
					: "Returned nothing: {} to {} of {} become a gap, after {}", first, last, sequence,
					readable(ended.time()));
		}
	}

	private void ended(EngineEvent.RaiseEnded ended) {
		if (ended.max() != null) {
			debug("Raised the counter of {} to {} at least; it stands at {}, after {}", name(ended), ended.floor(),
					ended.max(), readable(ended.time()));
		}
		else {
			debug("The counter of {} may not have been raised to {}, after {}", name(ended), ended.floor(),
					readable(ended.time()));
		}
	}

	private static String name(EngineEvent event) {
		return "sequence " + Names.quoted(event.sequence().name()) + " of database "
				+ Names.quoted(event.sequence().database());
	}

	private void debug(String format, @Nullable Object... arguments) {
		if (logger.isDebugEnabled()) {
			write(() -> logger.debug(format, arguments));
		}
	}

	private void write(Runnable line) {
		// What it throws ends in the future: there is nowhere to log that logging failed.
		Future<?> unused = this.writer.submit(line);
	}

	private static String readable(Duration time) {
		return Timeouts.readable(time.truncatedTo((time.toSeconds() > 0) ? ChronoUnit.SECONDS
				: (time.toMillis() > 0) ? ChronoUnit.MILLIS : ChronoUnit.MICROS));
	}

	/**
	 * Reservations that fail.
	 *
	 * @param failures how many
	 * @param sinceNanos when the first one did
	 */
	private record Outage(long failures, long sinceNanos) {
	}

}

package io.github.hilo.internal.log;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs the events of sequences and passes them on to the meters. The log gets one line
 * when a sequence's reservations begin to fail, one when they succeed again, and one for
 * numbers that could not be returned. At level debug it also gets a line for every
 * reservation, return and raise.
 * <p>
 * Thread-safe: {@code outages} and {@code refused} are concurrent, and each event changes
 * them atomically.
 */
public final class ReservationLog implements Consumer<SequenceEvent> {

	/**
	 * The name of the logger that users set a level for.
	 */
	public static final String NAME = "io.github.hilo.reservations";

	private static final Logger logger = LoggerFactory.getLogger(NAME);

	private final TimeSource time;

	private final Map<RangeSequence, Outage> outages = new ConcurrentHashMap<>();

	private final Set<RangeSequence> refused = ConcurrentHashMap.newKeySet();

	private final Supplier<? extends @Nullable Consumer<SequenceEvent>> meters;

	/**
	 * @param meters finds the receiver that counts the events, or {@code null}; it is
	 * called for each event, because the receiver may depend on beans that need the
	 * engine
	 */
	public ReservationLog(TimeSource time, Supplier<? extends @Nullable Consumer<SequenceEvent>> meters) {
		this.time = time;
		this.meters = meters;
	}

	/**
	 * Logs an event and passes it on. A failure of the log or of the meters is logged;
	 * the operation and its callers go on.
	 */
	@Override
	public void accept(SequenceEvent event) {
		tolerate(() -> log(event));
		tolerate(() -> {
			Consumer<SequenceEvent> counting = this.meters.get();
			if (counting != null) {
				counting.accept(event);
			}
		});
	}

	private static void tolerate(Runnable call) {
		try {
			call.run();
		}
		// Also an error, because callers would wait for an operation that never ends.
		catch (Throwable ex) {
			warn(ex);
		}
	}

	private static void warn(Throwable failure) {
		try {
			logger.warn("A listener of the HiLo id generator failed; ids are still issued", failure);
		}
		catch (Throwable ex) {
			// Logging has failed, so this failure cannot be logged.
		}
	}

	private void log(SequenceEvent event) {
		if (event instanceof SequenceEvent.ReservationEnded ended) {
			ended(ended);
		}
		else if (event instanceof SequenceEvent.Refused refused && this.refused.add(event.sequence())) {
			logger.warn("Ints of {} are refused: {}", name(refused), refused.failure().getMessage());
		}
		else if (event instanceof SequenceEvent.ReturnEnded ended) {
			ended(ended);
		}
		else if (event instanceof SequenceEvent.RaiseEnded ended) {
			ended(ended);
		}
		else if (event instanceof SequenceEvent.Waited waited) {
			waited(waited);
		}
		else if (event instanceof SequenceEvent.Discarded discarded) {
			logger.debug("Numbers {} to {} of {} become a gap: {}", discarded.first(), discarded.last(),
					name(discarded), discarded.why());
		}
	}

	private void ended(SequenceEvent.ReservationEnded ended) {
		String sequence = name(ended);
		if (ended.range() != null) {
			logger.debug("Reserved {} to {} of {} in {}", ended.range().min(), ended.range().max(), sequence,
					Timeouts.spent(ended.time()));
			Outage over = this.outages.remove(ended.sequence());
			if (over != null) {
				logger.info("Reservations of {} succeed again after {}, in which {} failed", sequence,
						Timeouts.spent(Duration.ofNanos(this.time.nanoTime() - over.sinceNanos())), over.failures());
			}
		}
		else if (ended.failure() != null) {
			String failure = String.valueOf(ended.failure().getMessage());
			logger.debug("Reserved nothing of {} in {}: {}", sequence, Timeouts.spent(ended.time()), failure);
			Outage outage = this.outages.merge(ended.sequence(), new Outage(1, this.time.nanoTime()),
					(before, one) -> new Outage(before.failures() + 1, before.sinceNanos()));
			if (outage.failures() == 1) {
				logger.warn("Reservations of {} began to fail: {}", sequence, failure);
			}
		}
	}

	private void ended(SequenceEvent.ReturnEnded ended) {
		String sequence = name(ended);
		long first = ended.unused().lastIssued() + 1;
		long last = ended.unused().max();
		if (ended.failure() != null) {
			String failure = String.valueOf(ended.failure().getMessage());
			logger.atLevel(ended.stopping() ? Level.DEBUG : Level.WARN)
				.log("Numbers {} to {} become a gap. {}", first, last, failure);
		}
		else {
			logger.debug(
					ended.returned() ? "Returned {} to {} of {} in {}"
							: "Returned nothing: {} to {} of {} become a gap, after {}",
					first, last, sequence, Timeouts.spent(ended.time()));
		}
	}

	private void ended(SequenceEvent.RaiseEnded ended) {
		if (ended.max() != null) {
			logger.debug("Raised the counter of {} to {} at least; it stands at {}, after {}", name(ended),
					ended.floor(), ended.max(), Timeouts.spent(ended.time()));
		}
		else {
			logger.debug("The counter of {} may not have been raised to {}, after {}", name(ended), ended.floor(),
					Timeouts.spent(ended.time()));
		}
	}

	private static String name(SequenceEvent event) {
		return event.sequence().describe();
	}

	private static void waited(SequenceEvent.Waited waited) {
		if (waited.time().multipliedBy(10).compareTo(waited.limit()) > 0) {
			logger.debug("A call for {} waited {} for {}", name(waited), Timeouts.spent(waited.time()),
					(waited.phase() == Deadline.Phase.CHECK) ? "the check of stored ids" : "a range");
		}
	}

	private record Outage(long failures, long sinceNanos) {
	}

}

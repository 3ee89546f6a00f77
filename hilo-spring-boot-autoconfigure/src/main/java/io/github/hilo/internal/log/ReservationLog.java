package io.github.hilo.internal.log;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.LineLimit;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs the events of sequences and passes them on to the meters. The log gets one line
 * when a sequence's reservations, or its finds in a place, begin to fail, one when they
 * succeed again, and one for numbers that could not be returned. At level debug it also
 * gets a line for every reservation, return and raise.
 * <p>
 * Thread-safe: the map and the sets are concurrent, and each event changes them
 * atomically.
 */
public final class ReservationLog implements Consumer<SequenceEvent> {

	/**
	 * The name of the logger that users set a level for.
	 */
	public static final String NAME = "io.github.hilo.reservations";

	private static final Logger logger = LoggerFactory.getLogger(NAME);

	private final TimeSource time;

	// Of returns that failed, by sequence.
	private final LineLimit lines;

	private final Map<Failing, Outage> outages = new ConcurrentHashMap<>();

	// The sequences for which this warning was logged.
	private final Set<RangeSequence> refused = ConcurrentHashMap.newKeySet();

	private final Supplier<? extends @Nullable Consumer<SequenceEvent>> meters;

	/**
	 * @param meters finds the receiver that counts the events, or {@code null}; it is
	 * called for each event, because the receiver may depend on beans that need the
	 * engine
	 */
	public ReservationLog(TimeSource time, Supplier<? extends @Nullable Consumer<SequenceEvent>> meters) {
		this.time = time;
		this.lines = new LineLimit(time);
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
		else if (event instanceof SequenceEvent.FindEnded ended) {
			ended(new Failing(ended.sequence(), ended.place()), ended.failure());
		}
		else if (event instanceof SequenceEvent.LetGo) {
			this.outages.keySet().removeIf((failing) -> failing.sequence().equals(event.sequence()));
			this.refused.remove(event.sequence());
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
		}
		else if (ended.failure() != null) {
			logger.debug("Reserved nothing of {} in {}: {}", sequence, Timeouts.spent(ended.time()),
					ended.failure().getMessage());
		}
		if (ended.range() != null || ended.failure() != null) {
			ended(new Failing(ended.sequence(), null), ended.failure());
		}
	}

	/**
	 * Logs the first failure of many, and the first success after them.
	 */
	private void ended(Failing what, @Nullable RuntimeException failure) {
		if (failure != null) {
			Outage outage = this.outages.merge(what, new Outage(1, this.time.nanoTime()),
					(before, one) -> new Outage(before.failures() + 1, before.sinceNanos()));
			if (outage.failures() == 1) {
				logger.warn("{} began to fail: {}", what.describe(), failure.getMessage());
			}
		}
		else {
			Outage over = this.outages.remove(what);
			if (over != null) {
				logger.info("{} succeed again after {}, in which {} failed", what.describe(),
						Timeouts.spent(Duration.ofNanos(this.time.nanoTime() - over.sinceNanos())), over.failures());
			}
		}
	}

	private void ended(SequenceEvent.ReturnEnded ended) {
		String sequence = name(ended);
		long first = ended.unused().newMax() + 1;
		long last = ended.unused().max();
		if (ended.failure() != null) {
			String failure = String.valueOf(ended.failure().getMessage());
			boolean warns = !ended.summedUp() && this.lines.due(ended.sequence(), 1) > 0;
			logger.atLevel(warns ? Level.WARN : Level.DEBUG)
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
					switch (waited.phase()) {
						case CHECK -> "the check of stored ids";
						case QUEUE -> "the turn of its check of stored ids";
						default -> "a range";
					});
		}
	}

	private record Outage(long failures, long sinceNanos) {
	}

	/**
	 * What fails: the reservations of a sequence, or its finds in a place.
	 */
	private record Failing(RangeSequence sequence, @Nullable Place place) {

		String describe() {
			return ((this.place != null) ? "Finds in " + this.place.describe() + " for " : "Reservations of ")
					+ this.sequence.describe();
		}

	}

}

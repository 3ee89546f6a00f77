package io.github.hilo.internal.log;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.SequenceListener;
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
 * Thread-safe: {@code refused} is a concurrent set, and {@code lines} is thread-safe.
 */
public final class ReservationLog implements Consumer<SequenceEvent>, SequenceListener {

	/**
	 * The name of the logger that users set a level for.
	 */
	public static final String NAME = "io.github.hilo.reservations";

	private static final Logger logger = LoggerFactory.getLogger(NAME);

	// Of returns that failed, by sequence.
	private final LineLimit lines;

	// The sequences for which this warning was logged.
	private final Set<RangeSequence> refused = ConcurrentHashMap.newKeySet();

	private final Supplier<? extends @Nullable Consumer<SequenceEvent>> meters;

	/**
	 * @param meters finds the receiver that counts the events, or {@code null}; it is
	 * called for each event, because the receiver may depend on beans that need the
	 * engine
	 */
	public ReservationLog(TimeSource time, Supplier<? extends @Nullable Consumer<SequenceEvent>> meters) {
		this.lines = new LineLimit(time);
		this.meters = meters;
	}

	/**
	 * Logs an event and passes it on. A failure of the log or of the meters is logged;
	 * the operation and its callers go on.
	 */
	@Override
	public void accept(SequenceEvent event) {
		tolerate(() -> event.tell(this));
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

	@Override
	public void reservationEnded(SequenceEvent.ReservationEnded ended) {
		String sequence = name(ended);
		if (ended.range() != null) {
			logger.debug("Reserved {} to {} of {} in {}", ended.range().min(), ended.range().max(), sequence,
					Timeouts.spent(ended.time()));
		}
		else if (ended.failure() != null) {
			logger.debug("Reserved nothing of {} in {}: {}", sequence, Timeouts.spent(ended.time()),
					ended.failure().getMessage());
		}
	}

	@Override
	public void outageBegan(SequenceEvent.OutageBegan began) {
		logger.warn("{} began to fail: {}", whatFails(began, began.place()), began.failure());
	}

	@Override
	public void outageEnded(SequenceEvent.OutageEnded ended) {
		logger.info("{} succeed again after {}, in which {} failed", whatFails(ended, ended.place()),
				Timeouts.spent(ended.lasted()), ended.failures());
	}

	private static String whatFails(SequenceEvent event, @Nullable Place place) {
		return ((place != null) ? "Finds in " + place.describe() + " for " : "Reservations of ") + name(event);
	}

	@Override
	public void refused(SequenceEvent.Refused refused) {
		if (this.refused.add(refused.sequence())) {
			logger.warn("Ints of {} are refused: {}", name(refused), refused.failure().getMessage());
		}
	}

	@Override
	public void letGo(SequenceEvent.LetGo event) {
		this.refused.remove(event.sequence());
	}

	@Override
	public void discarded(SequenceEvent.Discarded discarded) {
		logger.debug("Numbers {} to {} of {} become a gap: {}", discarded.first(), discarded.last(), name(discarded),
				discarded.why());
	}

	@Override
	public void returnEnded(SequenceEvent.ReturnEnded ended) {
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

	@Override
	public void raiseEnded(SequenceEvent.RaiseEnded ended) {
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

	@Override
	public void waited(SequenceEvent.Waited waited) {
		if (waited.time().multipliedBy(10).compareTo(waited.limit()) > 0) {
			logger.debug("A call for {} waited {} for {}", name(waited), Timeouts.spent(waited.time()),
					switch (waited.phase()) {
						case CHECK -> "the check of stored ids";
						case QUEUE -> "the turn of its check of stored ids";
						default -> "a range";
					});
		}
	}

}

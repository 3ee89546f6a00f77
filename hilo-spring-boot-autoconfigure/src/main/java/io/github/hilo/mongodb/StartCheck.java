package io.github.hilo.mongodb;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks where a counter starts: a reservation that creates it, or raises it because it
 * is behind or its range is taken, brings it above the highest number that is stored.
 * <p>
 * The numbers are those that {@link RangeCheck} has found. Scanning texts can take longer
 * than the reservation may: then the reservation fails, the scan goes on and raises the
 * counter itself, and reservations that come meanwhile join it.
 *
 * @param reader reads the ids that are stored, with time of its own: a scan may outlast
 * the reservation
 * @param store the settings, the clock, and what fails reservations that a scan outlasts
 * @param counter the counter
 */
record StartCheck(StoredIdReader reader, StoreMemory store, CounterSteps counter) {

	private static final Logger logger = LoggerFactory.getLogger(StartCheck.class);

	private static final String WAYS_OUT = "To go on without it, raise the counter above the highest stored id with"
			+ " hilo.resync or ensureAtLeast, or set " + CheckMemory.SWITCH + " to false for this sequence";

	/**
	 * Brings a counter above the highest number that is stored.
	 * @param floor what it must reach in any case
	 * @param numbers the highest stored numbers above the floor
	 * @param last where the counter stood, or {@code null} if it was missing
	 * @param whenRaised runs after the raise, which may be when the reservation has ended
	 * @return what it has at least reached
	 */
	CompletionStage<Long> raiseAbove(long floor, CompletionStage<List<StoredId>> numbers,
			CounterDocument.@Nullable Max last, Runnable whenRaised) {
		if (this.reader.places().isEmpty()) {
			return this.counter.raise(last, floor, false).thenApply((raised) -> {
				whenRaised.run();
				return floor;
			});
		}
		this.reader.memory().requireReady();
		CheckMemory.Start start = this.reader.memory()
			.joinOrBegin(this.reader.places(), () -> begin(floor, numbers, last, whenRaised));
		// A reservation waits for a scan only as long as it may. A find that fails before
		// says why itself.
		CompletableFuture<Long> joined = start.result().copy();
		this.store.time()
			.after(this.counter.deadline().leftWithRoom(), this.store.executor(),
					() -> joined.completeExceptionally(notYet(start.scan())));
		return joined;
	}

	private CheckMemory.Start begin(long floor, CompletionStage<List<StoredId>> numbers,
			CounterDocument.@Nullable Max last, Runnable whenRaised) {
		TextScan scan = new TextScan(this.counter.document(), this.store.time(), this.store.settings().timeout());
		CompletionStage<Long> reached = this.reader.memory()
			.described(this.reader.highest(numbers, scan), WAYS_OUT)
			.thenCompose((found) -> {
				long target = Math.max(floor, found.number());
				return this.counter.within(this.store.settings().timeout())
					.raise(last, target, false)
					.thenApply((raised) -> {
						tell(found, raised);
						whenRaised.run();
						return target;
					});
			});
		return new CheckMemory.Start(this.reader.places(), reached.toCompletableFuture(), scan);
	}

	private HiLoUnavailableException notYet(TextScan scan) {
		String progress = scan.progress();
		return new HiLoUnavailableException(
				"its counter must start above the ids that are stored, and reading them takes longer than "
						+ Timeouts.named(this.store.settings().timeout()) + " allows"
						+ ((progress != null) ? ": " + progress : "")
						+ ". Reading goes on, and a later call uses its result. " + WAYS_OUT);
	}

	private boolean isKnown(String sequence) {
		return this.reader.memory().isUsed() || this.store.settings().named().contains(sequence)
				|| !this.store.settings().places().of(sequence).isEmpty();
	}

	private void tell(HighestStoredId found, CounterSteps.Raised raised) {
		CounterDocument counter = this.counter.document();
		if (found.beyond() != null) {
			logger.warn("{} has the stored id {}, beyond the highest number that a counter can be raised to, {}; it was"
					+ " ignored", counter.describe(), found.beyond(), HiLoIdGenerator.MAX_FLOOR);
		}
		if (found.number() > 0) {
			logger.info(
					"The highest stored id of {} is {}, in {}. Its counter {} and now stands at {}, so that"
							+ " no stored document is overwritten ({})",
					counter.describe(), found.number(), found.place(),
					(raised.before() != null) ? "stood at " + raised.before() : "was missing", raised.after(),
					CheckMemory.SWITCH);
		}
		else if (raised.before() == null && !isKnown(counter.sequence())) {
			this.store.unknown().created(counter);
		}
	}

}

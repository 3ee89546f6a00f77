package io.github.hilo.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.mongodb.Deadline;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.text.Timeouts;
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
 * @param deadline by when the reservation must have ended
 * @param confirming whether it is for a number that was taken
 */
record StartCheck(StoredIdReader reader, Deadline deadline, boolean confirming) {

	private static final Logger logger = LoggerFactory.getLogger(StartCheck.class);

	private static final String WAYS_OUT = "To go on without it, raise the counter above the highest stored id with"
			+ " hilo.resync or ensureAtLeast, or set " + StoredIds.SWITCH + " to false for this sequence";

	/**
	 * Brings a counter above the highest number that is stored.
	 * @param floor what it must reach in any case
	 * @param numbers the highest stored numbers above the floor
	 * @param raise raises it
	 * @param whenRaised runs after the raise, which may be when the reservation has ended
	 * @return what it has at least reached
	 */
	CompletionStage<Long> raiseAbove(long floor, CompletionStage<List<StoredId>> numbers,
			LongFunction<CompletionStage<Raised>> raise, Runnable whenRaised) {
		if (this.reader.places().isEmpty()) {
			return raise.apply(floor).thenApply((raised) -> {
				whenRaised.run();
				return floor;
			});
		}
		StoredIds ids = this.reader.ids();
		ids.requireReady(this.reader.places());
		StoredIds.Start start = ids.joinOrBegin(this.reader.places(), this.confirming,
				() -> begin(floor, numbers, raise, whenRaised));
		// A reservation waits for a scan only as long as it may. A find that fails before
		// says why itself.
		CompletableFuture<Long> joined = start.result().copy();
		ids.after(this.deadline.leftToWait(), () -> joined.completeExceptionally(notYet(start.scan())));
		return joined;
	}

	private StoredIds.Start begin(long floor, CompletionStage<List<StoredId>> numbers,
			LongFunction<CompletionStage<Raised>> raise, Runnable whenRaised) {
		StoredIds ids = this.reader.ids();
		TextScan scan = ids.newScan();
		CompletionStage<Long> reached = ids.described(this.reader.highest(numbers, scan), WAYS_OUT)
			.thenCompose((found) -> {
				long target = Math.max(floor, found.number());
				return raise.apply(target).thenApply((raised) -> {
					tell(found, raised);
					whenRaised.run();
					return target;
				});
			});
		return new StoredIds.Start(this.reader.places(), this.confirming, reached.toCompletableFuture(), scan);
	}

	private HiLoUnavailableException notYet(TextScan scan) {
		String progress = scan.progress();
		return new HiLoUnavailableException(
				"its counter must start above the ids that are stored, and reading them takes longer than "
						+ Timeouts.named(this.reader.ids().timeout()) + " allows"
						+ ((progress != null) ? ": " + progress : "")
						+ ". Reading goes on, and a later call uses its result. " + WAYS_OUT);
	}

	private void tell(HighestStoredId found, Raised raised) {
		StoredIds ids = this.reader.ids();
		if (found.beyond() != null) {
			logger.warn("{} has the stored id {}, beyond the highest number that a counter can be raised to, {}; it was"
					+ " ignored", ids.describe(), found.beyond(), HiLoIdGenerator.MAX_FLOOR);
		}
		if (found.number() > 0) {
			logger.info(
					"The highest stored id of {} is {}, in {}. Its counter {} and now stands at {}, so that"
							+ " no stored document is overwritten ({})",
					ids.describe(), found.number(), found.place(),
					(raised.before() != null) ? "stood at " + raised.before() : "was missing", raised.after(),
					StoredIds.SWITCH);
		}
		else if (raised.before() == null) {
			ids.created();
		}
	}

}

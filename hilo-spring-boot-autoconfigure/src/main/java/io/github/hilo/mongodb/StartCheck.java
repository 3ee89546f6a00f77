package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Names;
import io.github.hilo.store.Timeouts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks where a counter starts: a reservation that creates it, or raises it because it
 * is behind or its range is taken, brings it above the highest number that is stored.
 * <p>
 * The numbers are those that {@link RangeCheck} has found. Scanning texts can take longer
 * than the reservation may: then the reservation fails, the scan goes on and raises the
 * counter itself, and reservations that come meanwhile join it.
 */
final class StartCheck {

	private static final Logger logger = LoggerFactory.getLogger(StartCheck.class);

	private static final String WAYS_OUT = "To go on without it, raise the counter above the highest stored id with"
			+ " hilo.resync or ensureAtLeast, or set " + CheckMemory.SWITCH + " to false for this sequence";

	private final CheckedSequence sequence;

	private final StoreMemory store;

	private final Function<Duration, CounterSteps> steps;

	/**
	 * Creates the check of one reservation.
	 * @param store the settings, the clock, and what fails reservations that a scan
	 * outlasts
	 * @param steps makes steps with a time limit of their own
	 */
	StartCheck(CheckedSequence sequence, StoreMemory store, Function<Duration, CounterSteps> steps) {
		this.sequence = sequence;
		this.store = store;
		this.steps = steps;
	}

	/**
	 * Brings a counter above the highest number that is stored.
	 * @param floor what it must reach in any case
	 * @param numbers the highest stored numbers above the floor
	 * @param raising brings the counter to where it should be
	 * @param deadline by when there must be an answer
	 * @return what it has at least reached
	 */
	CompletionStage<Long> raiseAbove(long floor, RangeCheck.Numbers numbers, Raising raising, Deadline deadline) {
		if (this.sequence.scope().places().isEmpty()) {
			return raising.raise(raise(floor, deadline.left())).thenApply((raised) -> floor);
		}
		return this.sequence.memory()
			.ready()
			.thenCompose((ready) -> within(deadline.left(), this.sequence.memory()
				.joinOrBegin(this.sequence.scope().places().size(), () -> begin(floor, numbers, raising, deadline))));
	}

	private CheckMemory.Start begin(long floor, RangeCheck.Numbers numbers, Raising raising, Deadline deadline) {
		TextScan scan = new TextScan(this.sequence.name().sequence(), this.sequence.name().database(),
				this.store.time());
		CompletionStage<HighestStoredId> texts = this.sequence.reader()
			.highestText(this.sequence.scope().texts(), this.sequence.name().sequence(), deadline::left, scan);
		CompletionStage<HighestStoredId> highest = numbers.check()
			.describingFailure(numbers.highest().thenCombine(texts, HighestStoredId::or), WAYS_OUT);
		warnOfNumbersBeyond(deadline);
		return new CheckMemory.Start(this.sequence.scope().places().size(), highest.thenCompose((found) -> {
			long target = Math.max(floor, found.number());
			// With time of its own: a scan may have outlasted the reservation.
			return raising.raise(raise(target, this.store.settings().timeout())).thenApply((raised) -> {
				tell(found, raised);
				return target;
			});
		}).toCompletableFuture(), scan);
	}

	/**
	 * Nobody waits for it: what is beyond all floors does not change where the counter
	 * starts.
	 */
	private void warnOfNumbersBeyond(Deadline deadline) {
		CompletionStage<?> unused = this.sequence.reader()
			.numberBeyond(this.sequence.scope().numbers(), deadline::left)
			.thenAccept(this::warnOfBeyond);
	}

	private CounterRaise raise(long target, Duration timeout) {
		return new CounterRaise(this.steps.apply(timeout), target, false);
	}

	/**
	 * Lets a reservation wait for a scan only as long as it may.
	 */
	private CompletionStage<Long> within(Duration timeLeft, CheckMemory.Start start) {
		if (start.result().isDone()) {
			return start.result();
		}
		CompletableFuture<Long> joined = start.result().copy();
		this.store.time()
			.after(timeLeft, this.store.executor(), () -> joined.completeExceptionally(notYet(start.scan())));
		return joined;
	}

	private HiLoUnavailableException notYet(TextScan scan) {
		String progress = scan.progress();
		return new HiLoUnavailableException(
				"its counter must start above the ids that are stored, and reading them takes longer than "
						+ Timeouts.named(this.store.settings().timeout()) + " allows"
						+ ((progress != null) ? ": " + progress : "")
						+ ". Reading goes on, and a later call uses its result. " + WAYS_OUT);
	}

	private void tell(HighestStoredId found, CounterRaise.Raised raised) {
		warnOfBeyond(found);
		if (found.number() > 0) {
			logger.info(
					"The highest stored id of {} is {}, in {}. Its counter {} and now stands at {}, so that"
							+ " no stored document is overwritten ({})",
					this.sequence.name().describe(), found.number(), found.place(),
					(raised.before() != null) ? "stood at " + raised.before() : "was missing", raised.after(),
					CheckMemory.SWITCH);
		}
		else if (raised.before() == null && !this.sequence.scope().known()) {
			String sequence = Names.quoted(this.sequence.name().sequence());
			logger.warn("The counter of {} was created, but no known type and no setting names that sequence, and no"
					+ " document in collection {} has an id of it: no stored id is checked for it. If documents have"
					+ " ids of this sequence, put @HiLo({}) on their type, or call ensureAtLeast with the highest;"
					+ " otherwise give it an entry in hilo.sequences", this.sequence.name().describe(), sequence,
					"\"" + Names.printable(this.sequence.name().sequence()) + "\"");
		}
	}

	private void warnOfBeyond(HighestStoredId found) {
		if (found.beyond() != null) {
			logger.warn("{} has the stored id {}, beyond the highest number that a counter can be raised to, {}; it was"
					+ " ignored", this.sequence.name().describe(), found.beyond(), HiLoIdGenerator.MAX_FLOOR);
		}
	}

	/**
	 * How a counter is brought to where it should be: from what was read already, or by
	 * reading it first.
	 */
	@FunctionalInterface
	interface Raising {

		CompletionStage<CounterRaise.Raised> raise(CounterRaise raise);

	}

}

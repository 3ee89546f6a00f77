package io.github.hilo.internal.counter;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.stored.RangeCheck;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reservation, by the steps that {@link MongoRangeStore} lists.
 */
final class RangeReservation {

	private static final Logger logger = LoggerFactory.getLogger(RangeReservation.class);

	private final CounterUpdates counter;

	private final RangeRequest request;

	private final RangeCheck check;

	private final String serverPrefix;

	private final Consumer<CounterRepair> repaired;

	// What the range must lie above; it rises to what is found stored.
	private long floor;

	RangeReservation(CounterUpdates counter, RangeRequest request, RangeCheck check, String serverPrefix,
			Consumer<CounterRepair> repaired) {
		this.counter = counter;
		this.request = request;
		this.check = check;
		this.serverPrefix = serverPrefix;
		this.repaired = repaired;
		this.floor = request.above();
	}

	CompletionStage<ReservedRange> run() {
		return this.counter.attempt(this.floor, this::attempt);
	}

	/**
	 * Counts up, and checks the stored ids at the same time; or finds out why the counter
	 * cannot be counted up.
	 */
	private CompletionStage<ReservedRange> attempt() {
		long size = this.counter.hasRepeated() ? this.request.least() : this.request.size();
		CompletionStage<@Nullable BsonDocument> counted = this.counter.write(
				this.counter.document().countable(this.floor, size), (grant) -> CounterDocument.countUp(size, grant),
				false);
		RangeCheck.EarlyAnswers stored = this.check.askEarly(likely(size));
		return counted.handle((after, failure) -> {
			if (after != null) {
				return ifFree(range(after, size), stored);
			}
			if (failure == null) {
				return this.counter.read().thenCompose((last) -> repair(last, size, stored));
			}
			// An array passes for the numbers in it until it is counted up.
			return (Failures.hasCode(failure, Failures.OF_THE_DOCUMENT) ? this.counter.read()
					: CompletableFuture.completedFuture(null))
				.thenCompose((last) -> CompletableFuture.<ReservedRange>failedFuture(failure));
		}).thenCompose((next) -> next);
	}

	/**
	 * The range that is granted if nobody else has reserved since, or an empty one before
	 * it is known where the counter stands.
	 */
	private ReservedRange likely(long size) {
		boolean known = !this.request.firstUse() || this.floor > this.request.above();
		long max = (known && this.floor <= HiLoIdGenerator.MAX_FLOOR - size) ? this.floor + size : this.floor;
		return new ReservedRange(this.floor + 1, max, this.serverPrefix, List.of());
	}

	private ReservedRange range(BsonDocument after, long size) {
		long max = after.getNumber(CounterDocument.MAX).longValue();
		return new ReservedRange(max - size + 1, max, this.serverPrefix, after.getArray(CounterDocument.GRANTS));
	}

	/**
	 * Answers a range that no stored document has a number of. One that could not be
	 * checked goes back.
	 */
	private CompletionStage<ReservedRange> ifFree(ReservedRange range, RangeCheck.EarlyAnswers stored) {
		return this.check.anyOf(range, stored)
			.exceptionallyCompose((failure) -> this.counter.within(this.counter.deadline().toTidyUp())
				.returnUnused(range.min() - 1, range.max(), range.grants())
				.exceptionally((notReturned) -> false)
				.thenCompose((returned) -> {
					if (!returned) {
						logger.debug("Numbers {} to {} of {} become a gap: they were neither checked nor returned",
								range.min(), range.max(), this.counter.document().describe());
					}
					return CompletableFuture.failedFuture(failure);
				}))
			.thenCompose((found) -> {
				if (found.isEmpty()) {
					return CompletableFuture.completedFuture(range.freeIn(this.check.places()));
				}
				logger.warn(
						"Numbers {} to {} of {} are discarded: {} already has the id {}."
								+ " Its counter is raised above the highest number that is stored",
						range.min(), range.max(), this.counter.document().describe(), found.get().place().describe(),
						found.get().describe());
				this.counter.noteStored();
				return raiseAboveStored(stored, new CounterDocument.Max(range.max(), false), CounterRepair.STORED);
			});
	}

	private CompletionStage<ReservedRange> repair(CounterDocument.@Nullable Max last, long size,
			RangeCheck.EarlyAnswers stored) {
		if (last == null) {
			if (this.request.firstUse()) {
				return raiseAboveStored(stored, null, null);
			}
			logger.warn(
					"The counter of {} is gone; it is created again, above {}. Numbers that other processes hold may be"
							+ " issued again: stop every process before you start the first one again",
					this.counter.document().describe(), this.floor);
			return raiseAboveStored(stored, null, CounterRepair.MISSING);
		}
		if (last.value() < this.floor && last.value() >= this.request.floor()) {
			logger.info("The counter of {} stands at {} and is raised to {}: the application has chosen these numbers",
					this.counter.document().describe(), last.value(), this.floor);
			return raise(this.counter, last, this.floor, null).thenCompose((max) -> run());
		}
		if (last.value() < this.floor) {
			logger.warn(
					"The counter of {} stands at {}, behind {}; it is raised. If the database was restored, stop every"
							+ " process before you start the first one again",
					this.counter.document().describe(), last.value(), this.floor);
			return raiseAboveStored(stored, last, CounterRepair.BEHIND);
		}
		if (last.value() > HiLoIdGenerator.MAX_FLOOR - size) {
			return CompletableFuture.failedFuture(this.counter.document().exhausted(last.value(), size));
		}
		return last.isDouble() ? rewrite(last.value(), size) : run();
	}

	/**
	 * Rewrites a double and reserves in one step: whoever matches its value has it alone,
	 * and mongo-java-server keeps a double that is set to an equal integer.
	 */
	private CompletionStage<ReservedRange> rewrite(long max, long size) {
		CompletionStage<@Nullable BsonDocument> rewritten = this.counter.write(this.counter.document().isDouble(max),
				(grant) -> CounterDocument.moveTo(max + size, grant), false);
		RangeCheck.EarlyAnswers stored = this.check.askEarly(likely(0));
		return rewritten.thenCompose((after) -> (after != null) ? ifFree(range(after, size), stored) : run());
	}

	private CompletionStage<ReservedRange> raiseAboveStored(RangeCheck.EarlyAnswers stored,
			CounterDocument.@Nullable Max last, @Nullable CounterRepair cause) {
		// A scan, and the raise that follows it, may outlast the reservation.
		CompletionStage<Long> reached = this.check.places().isEmpty()
				? raise(this.counter, last, this.floor, cause).thenApply((max) -> this.floor)
				: this.check.counterRaise()
					.raiseAbove(this.floor, (last != null) ? last.value() : null, stored.numbers(),
							(target) -> raise(this.counter.within(this.counter.deadline().restarted()), last, target,
									cause));
		return reached.thenCompose((target) -> {
			this.floor = Math.max(this.floor, target);
			return run();
		});
	}

	private CompletionStage<Long> raise(CounterUpdates steps, CounterDocument.@Nullable Max last, long target,
			@Nullable CounterRepair cause) {
		return steps.raise(last, target, false).thenApply((max) -> {
			if (cause != null) {
				this.repaired.accept(cause);
			}
			return max;
		});
	}

}

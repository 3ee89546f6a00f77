package io.github.hilo.internal.counter;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.stored.RangeCheck;
import io.github.hilo.internal.stored.StoredId;
import io.github.hilo.internal.stored.StoredIdMemory;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reservation, by the steps that {@link MongoRangeStore} lists.
 */
final class RangeReservation {

	private static final Logger logger = LoggerFactory.getLogger(RangeReservation.class);

	/**
	 * Enough to pass millions of texts with ranges that grow from 1 to the usual limit.
	 */
	static final int MAX_DISCARDED = 30;

	private final CounterUpdates counter;

	private final RangeRequest request;

	private final RangeCheck check;

	private final String serverPrefix;

	private final Consumer<CounterRepair> repaired;

	private final long maxSize;

	// What the range must lie above; it rises to what is found stored.
	private long floor;

	// It grows with every range that has the id of a stored text.
	private long size;

	private int discarded;

	RangeReservation(CounterUpdates counter, RangeRequest request, RangeCheck check, String serverPrefix, long maxSize,
			Consumer<CounterRepair> repaired) {
		this.counter = counter;
		this.request = request;
		this.check = check;
		this.serverPrefix = serverPrefix;
		this.repaired = repaired;
		this.maxSize = maxSize;
		this.floor = request.above();
		this.size = request.size();
	}

	CompletionStage<ReservedRange> run() {
		return this.counter.attempt(this.floor, this::attempt);
	}

	/**
	 * Counts up, and checks the stored ids at the same time; or finds out why the counter
	 * cannot be counted up.
	 */
	private CompletionStage<ReservedRange> attempt() {
		long size = this.counter.hasRepeated() ? this.request.least() : this.size;
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
			.thenCompose(
					(found) -> found.isEmpty() ? CompletableFuture.completedFuture(range.freeIn(this.check.places()))
							: discard(range, found.get(), stored));
	}

	/**
	 * Goes on above the highest stored number, or with a range twice as large if a text
	 * is in the way: nobody knows how many follow it.
	 */
	private CompletionStage<ReservedRange> discard(ReservedRange range, StoredId taken,
			RangeCheck.EarlyAnswers stored) {
		String why = "Numbers " + range.min() + " to " + range.max() + " of " + this.counter.document().describe()
				+ " are discarded: " + taken.place().describe() + " already has the id " + taken.describe();
		if (this.discarded == 0) {
			this.repaired.accept(CounterRepair.STORED);
		}
		if (++this.discarded > MAX_DISCARDED) {
			return CompletableFuture.failedFuture(new HiLoUnavailableException(why + ", as did the " + MAX_DISCARDED
					+ " ranges before. A later call goes on above them. To go on at once, raise the"
					+ " counter above the highest stored id with ensureAtLeast"));
		}
		this.counter.counted();
		this.floor = range.max();
		if (taken.place().text()) {
			this.size = Math.max(this.size,
					Math.min(2 * this.size, Math.min(this.maxSize, HiLoIdGenerator.MAX_FLOOR - range.max())));
			logger.warn("{}. The next range has {} numbers", why, this.size);
			return run();
		}
		return this.check.highestNumber(stored).thenCompose((highest) -> {
			logger.warn("{}. The next range is above {}", why, Math.max(range.max(), highest));
			return raise(new CounterDocument.Max(range.max(), false), highest);
		}).thenCompose((raised) -> run());
	}

	private CompletionStage<ReservedRange> repair(CounterDocument.@Nullable Max last, long size,
			RangeCheck.EarlyAnswers stored) {
		if (last == null) {
			if (this.request.firstUse()) {
				return create(stored, null);
			}
			logger.warn(
					"The counter of {} is gone; it is created again, above {}. Numbers that other processes hold may be"
							+ " issued again: stop every process before you start the first one again",
					this.counter.document().describe(), this.floor);
			return create(stored, CounterRepair.MISSING);
		}
		if (last.value() < this.floor && last.value() >= this.request.floor()) {
			logger.info("The counter of {} stands at {} and is raised to {}: the application has chosen these numbers",
					this.counter.document().describe(), last.value(), this.floor);
			return raise(last, this.floor).thenCompose((raised) -> run());
		}
		if (last.value() < this.floor) {
			logger.warn(
					"The counter of {} stands at {}, behind {}; it is raised. If the database was restored, stop every"
							+ " process before you start the first one again",
					this.counter.document().describe(), last.value(), this.floor);
			return raise(last, this.floor).thenCompose((raised) -> {
				if (raised) {
					this.repaired.accept(CounterRepair.BEHIND);
				}
				return run();
			});
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

	/**
	 * Creates the counter above everything that is stored.
	 */
	private CompletionStage<ReservedRange> create(RangeCheck.EarlyAnswers asked, @Nullable CounterRepair cause) {
		return this.check.highest(asked).thenCompose((found) -> {
			this.floor = Math.max(this.floor, found.map(StoredId::number).orElse(0L));
			return this.counter.createAt(this.floor).thenCompose((max) -> {
				if (cause != null) {
					this.repaired.accept(cause);
				}
				found.ifPresent((highest) -> logger.info(
						"The highest stored id of {} is {}, in {}. Its counter was missing and now stands at {}, so"
								+ " that no stored document is overwritten ({})",
						this.counter.document().describe(), highest.number(), highest.place().describe(), max,
						StoredIdMemory.SWITCH));
				return run();
			});
		});
	}

	/**
	 * Brings the counter to what the range must lie above from now on.
	 */
	private CompletionStage<Boolean> raise(CounterDocument.Max last, long stored) {
		this.floor = Math.max(this.floor, stored);
		return this.counter.raise(last, this.floor);
	}

}

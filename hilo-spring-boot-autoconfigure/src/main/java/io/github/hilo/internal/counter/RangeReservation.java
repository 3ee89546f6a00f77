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
import io.github.hilo.internal.stored.CheckedSequence;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reservation, by the steps that {@link MongoRangeStore} lists. {@code floor},
 * {@code size} and {@code discarded} need no lock, because no two steps run at once.
 */
final class RangeReservation {

	private static final Logger logger = LoggerFactory.getLogger(RangeReservation.class);

	/**
	 * How many ranges may be discarded because documents have their ids. So many ranges,
	 * each twice as large as the one before, get beyond millions of ids that are texts.
	 */
	static final int MAX_DISCARDED = 30;

	private final CounterUpdates counter;

	private final RangeRequest request;

	private final RangeCheck check;

	private final String serverPrefix;

	private final Consumer<CounterRepair> repaired;

	private final long maxSize;

	// The range must lie above this number, which rises to what is found stored.
	private long floor;

	// The size doubles with every range that has the id of a stored text.
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

	private CompletionStage<ReservedRange> attempt() {
		// A command that was repeated may have used up numbers, so this one asks for few.
		long size = this.counter.hasRepeated() ? this.request.least() : this.size;
		CompletionStage<@Nullable BsonDocument> counted = this.counter.write(
				this.counter.document().countable(this.floor, size), (grant) -> CounterDocument.countUp(size, grant),
				false);
		// At the same time as the write, which saves a round trip.
		RangeCheck.EarlyAnswers early = this.check.askEarly(likely(size));
		return counted
			// Reading fails with a better reason if the document is malformed, for
			// example if Grants is no array.
			.exceptionallyCompose((failure) -> (Failures.hasCode(failure, Failures.OF_THE_DOCUMENT)
					? this.counter.read() : CompletableFuture.completedFuture(null))
				.thenCompose((last) -> CompletableFuture.failedFuture(failure)))
			.thenCompose((after) -> (after != null) ? ifFree(range(after, size), early)
					: this.counter.read().thenCompose((last) -> repair(last, size, early)));
	}

	/**
	 * Returns the range that is granted if no other process has reserved since this one
	 * has. The range is empty as long as it is not known where the counter stands.
	 */
	private ReservedRange likely(long size) {
		boolean predictable = !this.request.firstUse() || this.floor > this.request.above();
		long max = (predictable && this.floor <= HiLoIdGenerator.MAX_FLOOR - size) ? this.floor + size : this.floor;
		return new ReservedRange(this.floor + 1, max, this.serverPrefix, List.of());
	}

	private ReservedRange range(BsonDocument after, long size) {
		long max = after.getNumber(CounterDocument.MAX).longValue();
		return new ReservedRange(max - size + 1, max, this.serverPrefix, after.getArray(CounterDocument.GRANTS));
	}

	/**
	 * Returns the range if no stored document has a number of it, and otherwise discards
	 * it. If the check failed, the range is returned to the counter and the reservation
	 * fails.
	 */
	private CompletionStage<ReservedRange> ifFree(ReservedRange range, RangeCheck.EarlyAnswers early) {
		return this.check.anyOf(range, early)
			.exceptionallyCompose((failure) -> this.counter.within(this.request.deadline().toTidyUp())
				.returnUnused(range.min() - 1, range.max(), range.grants())
				.exceptionally((notReturned) -> false)
				.thenCompose((returned) -> {
					if (!returned) {
						logger.debug("Numbers {} to {} of {} become a gap: they were neither checked nor returned",
								range.min(), range.max(), this.counter.document().describe());
					}
					return CompletableFuture.failedFuture(failure);
				}))
			.thenCompose((found) -> found.isEmpty()
					? CompletableFuture.completedFuture(range.withFreePlaces(this.check.places()))
					: discard(range, found.get(), early));
	}

	/**
	 * Discards a range that has the id of a stored document. Goes on above the highest
	 * stored number or, if the id is a text, with a range twice as large, because it is
	 * not known how many texts follow.
	 */
	private CompletionStage<ReservedRange> discard(ReservedRange range, StoredId id, RangeCheck.EarlyAnswers early) {
		String why = "Numbers " + range.min() + " to " + range.max() + " of " + this.counter.document().describe()
				+ " are discarded: " + id.place().describe() + " already has the id " + id.describe();
		if (this.discarded == 0) {
			this.repaired.accept(CounterRepair.STORED);
		}
		if (++this.discarded > MAX_DISCARDED) {
			return CompletableFuture.failedFuture(new HiLoUnavailableException(why + ", as did the " + MAX_DISCARDED
					+ " ranges before. A later call goes on above these ranges. To go on at once, raise the"
					+ " counter above the highest stored id with ensureAtLeast"));
		}
		this.counter.resetAttempts();
		this.floor = range.max();
		if (id.place().text()) {
			this.size = Math.max(this.size,
					Math.min(2 * this.size, Math.min(this.maxSize, HiLoIdGenerator.MAX_FLOOR - range.max())));
			logger.warn("{}. The next range has {} numbers", why, this.size);
			return run();
		}
		return early.numbers().thenApply(StoredId::highest).thenCompose((highest) -> {
			this.floor = Math.max(range.max(), highest);
			logger.warn("{}. The next range is above {}", why, this.floor);
			return this.counter.raiseOnce(new CounterDocument.Max(range.max(), false), this.floor);
		}).thenCompose((raised) -> run());
	}

	private CompletionStage<ReservedRange> repair(CounterDocument.@Nullable Max last, long size,
			RangeCheck.EarlyAnswers early) {
		if (last == null) {
			if (!this.request.firstUse()) {
				logger.warn(
						"The counter of {} is gone; it is created again, above {}. Numbers that other processes hold"
								+ " may be issued again: stop every process before you start the first one again",
						this.counter.document().describe(), this.floor);
			}
			return create(early);
		}
		if (last.value() < this.floor && last.value() >= this.request.floor()) {
			// Between the request's floor and this.floor are only numbers that are left
			// out, so nothing is wrong.
			logger.info(
					"The counter of {} stands at {} and is raised to {}: the application has chosen the"
							+ " numbers between, or documents have them",
					this.counter.document().describe(), last.value(), this.floor);
			return this.counter.raiseOnce(last, this.floor).thenCompose((raised) -> run());
		}
		if (last.value() < this.floor) {
			logger.warn(
					"The counter of {} stands at {}, behind {}; it is raised. If the database was restored, stop every"
							+ " process before you start the first one again",
					this.counter.document().describe(), last.value(), this.floor);
			return this.counter.raiseOnce(last, this.floor).thenCompose((raised) -> {
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
	 * Rewrites a double and reserves in one step, because mongo-java-server keeps a
	 * double that is set to an equal integer. Only one client can match the value of the
	 * double, so only one gets the range.
	 */
	private CompletionStage<ReservedRange> rewrite(long max, long size) {
		CompletionStage<@Nullable BsonDocument> rewritten = this.counter.write(this.counter.document().withDouble(max),
				(grant) -> CounterDocument.moveTo(max + size, grant), false);
		// An empty range, so only numbers are asked for early.
		RangeCheck.EarlyAnswers early = this.check.askEarly(likely(0));
		return rewritten.thenCompose((after) -> (after != null) ? ifFree(range(after, size), early) : run());
	}

	/**
	 * Creates the counter above everything that is stored, and tries again.
	 */
	private CompletionStage<ReservedRange> create(RangeCheck.EarlyAnswers early) {
		return this.check.highest(early).thenCompose((found) -> {
			this.floor = Math.max(this.floor, found.map(StoredId::number).orElse(0L));
			return this.counter.createAt(this.floor).thenCompose((max) -> {
				if (!this.request.firstUse()) {
					this.repaired.accept(CounterRepair.MISSING);
				}
				found.ifPresent((highest) -> logger.info(
						"The highest stored id of {} is {}, in {}. Its counter was missing and now stands at {}, so"
								+ " that no stored document is overwritten ({})",
						this.counter.document().describe(), highest.number(), highest.place().describe(), max,
						CheckedSequence.SWITCH));
				return run();
			});
		});
	}

}

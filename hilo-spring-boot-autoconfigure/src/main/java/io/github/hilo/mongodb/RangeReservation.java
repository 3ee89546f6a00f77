package io.github.hilo.mongodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.ReservedRange;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reservation, by the steps that {@link MongoRangeStore} lists.
 */
final class RangeReservation {

	private static final Logger logger = LoggerFactory.getLogger(RangeReservation.class);

	private final CounterSteps counter;

	private final RangeRequest request;

	private final StoredIdLook storedIds;

	private final String serverPrefix;

	/**
	 * What the range has to lie above; it rises to what is found stored.
	 */
	private long floor;

	/**
	 * Creates a reservation.
	 * @param counter the counter
	 * @param request how many numbers, above which floor
	 * @param storedIds looks at the ids that are stored
	 * @param serverPrefix what precedes the number in a document id
	 */
	RangeReservation(CounterSteps counter, RangeRequest request, StoredIdLook storedIds, String serverPrefix) {
		this.counter = counter;
		this.request = request;
		this.storedIds = storedIds;
		this.serverPrefix = serverPrefix;
		this.floor = request.floor();
	}

	CompletionStage<ReservedRange> run() {
		return this.storedIds.ready(this.request).thenCompose((ready) -> tryAgain());
	}

	private CompletionStage<ReservedRange> tryAgain() {
		return this.counter.attempt(this.floor, this::attempt);
	}

	/**
	 * Counts up, or else finds out why that can't be done.
	 */
	private CompletionStage<ReservedRange> attempt() {
		BsonValue grant = CounterDocument.freshGrant();
		return this.counter
			.countUp(this.floor, this.request.size(), CounterDocument.countUp(this.request.size(), grant))
			.handle((before, failure) -> {
				if (before != null) {
					return ifFree(range(maxOf(before), grant, before.get(CounterDocument.GRANT)));
				}
				// An array passes for the numbers in it until it is counted up.
				if (failure == null || Failures.hasCode(failure, Failures.TYPE_MISMATCH)) {
					return this.counter.read().thenCompose(this::repair);
				}
				return CompletableFuture.<ReservedRange>failedFuture(failure);
			})
			.thenCompose((next) -> next);
	}

	private ReservedRange range(long max, BsonValue grant, @Nullable BsonValue previousGrant) {
		return new ReservedRange(Math.addExact(max, 1), Math.addExact(max, this.request.size()), this.serverPrefix,
				grant, previousGrant);
	}

	/**
	 * Answers a range that no stored document has a number of.
	 */
	private CompletionStage<ReservedRange> ifFree(ReservedRange range) {
		return this.storedIds.anyOf(range, this.request, this.counter.timeLeft()).thenCompose((found) -> {
			if (found.isEmpty()) {
				return CompletableFuture.completedFuture(range);
			}
			logger.warn(
					"Numbers {} to {} of {} are discarded: {} already has the id {}."
							+ " Its counter is raised above the highest number that is stored",
					range.min(), range.max(), this.counter.name().describe(), found.get().place(), found.get().id());
			return raiseAboveStored(CounterRaise::run);
		});
	}

	private CompletionStage<ReservedRange> repair(@Nullable BsonDocument found) {
		if (found == null) {
			return create();
		}
		MaxField max = MaxField.of(found.get(CounterDocument.MAX));
		return switch (max.kind()) {
			case MALFORMED -> CompletableFuture.failedFuture(this.counter.name().malformed(found));
			case REWRITABLE -> rewrite(found, max.value());
			case COUNTABLE -> bringUp(found, max.value());
		};
	}

	private CompletionStage<ReservedRange> create() {
		if (!this.request.firstUse()) {
			logger.warn(
					"The counter of {} is gone; it is created again, above {}. Numbers that other processes hold may be"
							+ " issued again: restart every process",
					this.counter.name().describe(), this.floor);
		}
		return raiseAboveStored((raise) -> raise.from(null));
	}

	/**
	 * Rewrites a double and reserves in one step: whoever matches its value has it alone,
	 * and mongo-java-server keeps a double that is set to an equal integer.
	 */
	private CompletionStage<ReservedRange> rewrite(BsonDocument found, long max) {
		if (max < this.floor) {
			return raise(found, max);
		}
		if (isExhausted(max)) {
			return CompletableFuture.failedFuture(exhausted(found));
		}
		BsonValue grant = CounterDocument.freshGrant();
		return this.counter
			.write(this.counter.document().isDouble(max), CounterDocument.moveTo(max + this.request.size(), grant))
			.thenCompose((matched) -> matched ? ifFree(range(max, grant, null)) : tryAgain());
	}

	private CompletionStage<ReservedRange> bringUp(BsonDocument found, long max) {
		if (max < this.floor) {
			return raise(found, max);
		}
		return isExhausted(max) ? CompletableFuture.failedFuture(exhausted(found)) : tryAgain();
	}

	private CompletionStage<ReservedRange> raise(BsonDocument found, long max) {
		logger
			.warn("The counter of {} stands at {}, behind {}; it is raised. If the database was restored, restart every"
					+ " process", this.counter.name().describe(), max, this.floor);
		return raiseAboveStored((raise) -> raise.from(found));
	}

	private CompletionStage<ReservedRange> raiseAboveStored(StoredIdLook.Raising raising) {
		return this.storedIds.raiseAbove(this.floor, raising, this.counter::timeLeft).thenCompose((reached) -> {
			this.floor = Math.max(this.floor, reached);
			return tryAgain();
		});
	}

	private boolean isExhausted(long max) {
		return max > Long.MAX_VALUE - this.request.size();
	}

	private HiLoExhaustedException exhausted(BsonDocument found) {
		return new HiLoExhaustedException(this.counter.name()
			.rejection("is exhausted: " + MaxField.describe(found) + ", and " + this.request.size()
					+ " more numbers would exceed " + Long.MAX_VALUE
					+ ". If it was set too high by mistake, set it to the highest id in use"));
	}

	private static long maxOf(BsonDocument before) {
		return before.getNumber(CounterDocument.MAX).longValue();
	}

}

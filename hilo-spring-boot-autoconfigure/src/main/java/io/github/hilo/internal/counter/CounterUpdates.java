package io.github.hilo.internal.counter;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the commands of one operation on a counter, one after the other, until there is a
 * result, a failure, or no time left. The three counts need no lock, because no two
 * commands are in flight at once.
 */
final class CounterUpdates {

	static final int MAX_ATTEMPTS = 30;

	/**
	 * How often a command is sent again. A server can answer it with the outcome of an
	 * older command; see {@link MongoRangeStore}.
	 */
	static final int MAX_REPETITIONS = 3;

	private static final Logger logger = LoggerFactory.getLogger(CounterUpdates.class);

	private final Commands commands;

	private final CounterDocument document;

	private final CounterDatabase context;

	private final Deadline deadline;

	private int attempts;

	private int repetitions;

	private int writes;

	CounterUpdates(Commands commands, CounterDocument document, CounterDatabase context, Deadline deadline) {
		this.commands = commands;
		this.document = document;
		this.context = context;
		this.deadline = deadline;
	}

	CounterDocument document() {
		return this.document;
	}

	<T> CompletionStage<T> attempt(long target, Supplier<CompletionStage<T>> attempt) {
		if (++this.attempts > MAX_ATTEMPTS) {
			return CompletableFuture.failedFuture(new HiLoUnavailableException("other clients changed the counter "
					+ MAX_ATTEMPTS + " times in a row while it was being brought to " + target));
		}
		return attempt.get().exceptionallyCompose((failure) -> {
			if (!Failures.isWithoutOwnAnswer(failure)) {
				return CompletableFuture.failedFuture(failure);
			}
			String why = Failures.describe(failure);
			if (++this.repetitions > MAX_REPETITIONS) {
				return CompletableFuture.failedFuture(new HiLoUnavailableException(why, failure));
			}
			long repeated = this.context.lines().due(List.of("repeated", this.document.sequence()), 1);
			if (repeated > 0) {
				logger.warn("A command on the counter of {} is repeated, {} since the last line of this kind: {}",
						this.document.describe(), repeated, why);
			}
			return attempt(target, attempt);
		});
	}

	boolean hasSentOnlyOnce() {
		return this.writes == 1;
	}

	/**
	 * Tells of a repair once it is made or, if its outcome is unknown, that it may have
	 * been made. Until the counter grants a range, tells of the latter once.
	 * @param repair tells what "was", or "may have been", repaired
	 */
	CompletionStage<@Nullable BsonDocument> told(CompletionStage<@Nullable BsonDocument> write,
			Consumer<String> repair) {
		return write.whenComplete((after, failure) -> {
			if (after != null) {
				repair.accept("was");
			}
			else if (failure != null && Failures.isOutcomeUnknown(failure)
					&& this.context.warnings().add(unknownRepair())) {
				repair.accept("may have been");
			}
		});
	}

	/**
	 * Records that the counter has granted a range, so that the next repair whose outcome
	 * is unknown is told again.
	 */
	void granted() {
		this.context.warnings().remove(unknownRepair());
	}

	private Object unknownRepair() {
		return List.of(CounterRepair.class, this.document.sequence());
	}

	boolean hasRepeated() {
		return this.repetitions > 0;
	}

	CompletionStage<CounterDocument.@Nullable Max> read() {
		return this.commands
			.findOne(new Query(this.document.collection(), Place.ID, this.document.byId(), Commands.COUNTER, null),
					this.deadline)
			.thenApply((found) -> (found != null) ? this.document.maxOf(found) : null);
	}

	/**
	 * Sends a write with a new grant, which marks the counter as changed by this write.
	 * If the first element of {@code Grants} is another grant, the answer is that of
	 * another command.
	 */
	CompletionStage<@Nullable BsonDocument> write(BsonDocument filter, Function<BsonValue, BsonDocument> update,
			Commands.IfAbsent ifAbsent) {
		this.writes++;
		BsonValue grant = this.context.grants().get();
		return this.commands.findOneAndUpdate(filter, update.apply(grant), ifAbsent, this.deadline)
			.thenApply((after) -> {
				if (after != null && !CounterDocument.isOwn(after, grant)) {
					throw Failures.answerOfAnotherCommand();
				}
				return after;
			});
	}

	/**
	 * Sets the counter back to the last issued number of a range, if nothing was granted
	 * after the range.
	 */
	CompletionStage<Boolean> returnUnused(long newMax, long max, List<?> grants) {
		return attempt(newMax, () -> moveTo(this.document.returnable(max, (BsonArray) grants), newMax))
			.thenApply(Objects::nonNull);
	}

	private CompletionStage<@Nullable BsonDocument> moveTo(BsonDocument filter, long max) {
		return write(filter, (grant) -> CounterDocument.moveTo(max, grant), Commands.IfAbsent.NOTHING);
	}

	/**
	 * Raises the counter to a floor, or creates it there. The counter is never lowered.
	 * If another client was quicker, the counter is read again.
	 * @return where the counter stands then
	 */
	CompletionStage<Long> raise(long floor) {
		return read().thenCompose((last) -> {
			long raised = (last != null) ? Math.max(last.integer(), floor) : floor;
			if (raised > HiLoIdGenerator.MAX_NUMBER) {
				return CompletableFuture.failedFuture(this.document.exhausted(raised, 0));
			}
			return attempt(floor, () -> change(last, floor, raised)).thenCompose((after) -> (after != null)
					? CompletableFuture.completedFuture(CounterDocument.standsAt(after)) : raise(floor));
		});
	}

	/**
	 * Changes the counter so that a return that is in flight finds another grant, and
	 * cannot lower it.
	 */
	private CompletionStage<@Nullable BsonDocument> change(CounterDocument.@Nullable Max last, long floor,
			long raised) {
		if (last == null) {
			return create(floor);
		}
		return (last.isDouble() || last.value() < floor) ? raise(last, floor, raised)
				: write(this.document.countable(floor, 0), CounterDocument::renew, Commands.IfAbsent.NOTHING);
	}

	/**
	 * Raises a counter that is behind a floor, or a double.
	 * @param max at least the floor, and the integer above a double
	 * @return the counter, or {@code null} if another client was quicker
	 */
	CompletionStage<@Nullable BsonDocument> raise(CounterDocument.Max last, long floor, long max) {
		return moveTo(last.isDouble() ? this.document.withDouble(last.value()) : this.document.behind(floor), max);
	}

	/**
	 * Creates the counter.
	 * @return the counter, or {@code null} if another client was quicker: the answer
	 * shows the grant of the client that has created it, or the server reports a
	 * duplicate key
	 */
	CompletionStage<@Nullable BsonDocument> create(long max) {
		return write(this.document.byId(), (grant) -> CounterDocument.createAt(max, grant), Commands.IfAbsent.CREATE)
			.exceptionallyCompose(
					(failure) -> (CounterErrors.isDuplicateId(failure) || Failures.isAnswerOfAnotherCommand(failure))
							? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure));
	}

}

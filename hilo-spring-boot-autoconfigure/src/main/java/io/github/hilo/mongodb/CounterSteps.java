package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.Timeouts;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command after the other on one counter, until there is an answer, a reason why
 * there is none, or no time left.
 * <p>
 * Not thread-safe, but no two commands are under way at once.
 */
final class CounterSteps {

	static final int MAX_ATTEMPTS = 30;

	private static final Logger logger = LoggerFactory.getLogger(CounterSteps.class);

	private final StoreCommands commands;

	private final CounterName name;

	private final CounterDocument document;

	private final Deadline deadline;

	private final Supplier<BsonValue> grants;

	private int attempts;

	/**
	 * Creates the steps of one operation.
	 * @param deadline by when it must have ended
	 * @param grants makes grants that nobody else has
	 */
	CounterSteps(StoreCommands commands, CounterName name, Deadline deadline, Supplier<BsonValue> grants) {
		this.commands = commands;
		this.name = name;
		this.document = name.document();
		this.deadline = deadline;
		this.grants = grants;
	}

	CounterName name() {
		return this.name;
	}

	CounterDocument document() {
		return this.document;
	}

	Deadline deadline() {
		return this.deadline;
	}

	BsonValue freshGrant() {
		return this.grants.get();
	}

	/**
	 * Tries once more, unless that was done too often.
	 * @param target what the counter is being brought to
	 */
	<T> CompletionStage<T> attempt(long target, Supplier<CompletionStage<T>> attempt) {
		return (++this.attempts > MAX_ATTEMPTS)
				? CompletableFuture.failedFuture(new HiLoUnavailableException("other clients changed the counter "
						+ MAX_ATTEMPTS + " times in a row while it was being brought to " + target))
				: attempt.get();
	}

	CompletionStage<@Nullable BsonDocument> countUp(long floor, long size, BsonDocument update) {
		return this.commands.findOneAndUpdate(this.document.countable(floor, size), update, timeLeft());
	}

	CompletionStage<@Nullable BsonDocument> read() {
		return this.commands.findById(this.document.id(), timeLeft());
	}

	/**
	 * Sends a write that may lose a race.
	 * @return whether the filter matched
	 */
	CompletionStage<Boolean> write(BsonDocument filter, BsonDocument update) {
		return this.commands.updateOne(filter, update, false, timeLeft());
	}

	/**
	 * Returns a range of which no number was issued, if nothing was granted since.
	 * @return what ends with the answer, whatever it is
	 */
	CompletionStage<Boolean> giveBack(ReservedRange range) {
		return this.commands
			.updateOne(this.document.latest(range.max(), (BsonValue) range.grant()),
					CounterDocument.moveTo(range.min() - 1, freshGrant()), false, this.deadline.leftToTidyUp())
			.exceptionally((failure) -> false);
	}

	/**
	 * Creates the counter.
	 * @return whether there was none
	 */
	CompletionStage<Boolean> create(long max) {
		return this.commands
			.updateOne(this.document.any(), CounterDocument.createAt(max, freshGrant()), true, timeLeft())
			.handle((matched, failure) -> {
				if (failure != null && !Failures.hasCode(failure, Failures.DUPLICATE_KEY)) {
					return CompletableFuture.<Boolean>failedFuture(failure);
				}
				return (failure == null && !matched) ? warnOfCounterElsewhere()
						: CompletableFuture.completedFuture(false);
			})
			.thenCompose((created) -> created);
	}

	/**
	 * Whoever changes the place of the counters has to move them: the new ones know
	 * nothing of the numbers that the old ones granted.
	 */
	private CompletionStage<Boolean> warnOfCounterElsewhere() {
		CounterName usual = this.name.inUsualPlace();
		if (usual.equals(this.name)) {
			return CompletableFuture.completedFuture(true);
		}
		IdQuery query = IdQuery.any(usual.collection(), usual.document().any());
		return this.commands.findIds(query, timeLeft()).handle((found, failure) -> {
			if (found != null && !found.isEmpty()) {
				logger.warn(
						"The counter {} of {} was created in {}, but there is one in {} already, under {}. If that was its"
								+ " counter so far, raise the new one to its Max at least, with ensureAtLeast",
						Names.quoted(this.document.id()), this.name.describe(), this.name.place(), usual.place(),
						Names.quoted(usual.document().id()));
			}
			return true;
		});
	}

	private Duration timeLeft() {
		return this.deadline.left();
	}

	/**
	 * Makes one of our exceptions of what a step failed with.
	 * @param whatFailed the beginning of the message
	 * @param timeout the configured timeout, of which a command gets a part
	 */
	static <T> CompletionStage<T> translated(CompletionStage<T> answer, String whatFailed, Duration timeout) {
		return answer
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(translate(failure, whatFailed, timeout)));
	}

	private static RuntimeException translate(Throwable failure, String whatFailed, Duration timeout) {
		Throwable cause = Failures.causeOf(failure);
		if (cause instanceof HiLoDocumentException document) {
			return document;
		}
		if (cause instanceof HiLoExhaustedException exhausted) {
			return exhausted;
		}
		String late = Failures.isTimeout(cause)
				? ": no answer from MongoDB in the time that " + Timeouts.named(timeout) + " allows" : "";
		return new HiLoUnavailableException(whatFailed + late + ": " + ((cause instanceof HiLoUnavailableException)
				? String.valueOf(cause.getMessage()) : Failures.describe(cause)), cause);
	}

}

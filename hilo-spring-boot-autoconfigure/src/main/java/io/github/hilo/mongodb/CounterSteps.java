package io.github.hilo.mongodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.ReservedRange;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One command after the other on one counter, until there is an answer, a reason why
 * there is none, or no time left.
 * <p>
 * Not thread-safe, but no two commands are under way at once.
 */
final class CounterSteps {

	static final int MAX_ATTEMPTS = 30;

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

	CompletionStage<@Nullable BsonDocument> countUp(long floor, long size, BsonValue grant) {
		return this.commands.findOneAndUpdate(this.document.countable(floor, size),
				CounterDocument.countUp(size, grant), this.deadline.left());
	}

	/**
	 * Reads the counter.
	 * @return where it stands, or {@code null} if it is missing;
	 * {@link HiLoDocumentException} if it is malformed
	 */
	CompletionStage<@Nullable MaxField> read() {
		FieldQuery query = FieldQuery.of(this.name.collection(), CounterDocument.MAX, this.document.any());
		return this.commands.findOne(query, this.deadline.left())
			.thenApply((found) -> (found != null) ? this.name.maxOf(found) : null);
	}

	/**
	 * Sends a write that may lose a race.
	 * @return whether the filter matched
	 */
	CompletionStage<Boolean> write(BsonDocument filter, BsonDocument update) {
		return this.commands.updateOne(filter, update, false, this.deadline.left());
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
			.updateOne(this.document.any(), CounterDocument.createAt(max, freshGrant()), true, this.deadline.left())
			.thenApply((matched) -> !matched)
			.exceptionallyCompose((failure) -> Failures.hasCode(failure, Failures.DUPLICATE_KEY)
					? CompletableFuture.completedFuture(false) : CompletableFuture.failedFuture(failure));
	}

}

package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeReturn;
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

	private final CounterDocument document;

	private final StoreMemory memory;

	private final Deadline deadline;

	private int attempts;

	/**
	 * Creates the steps of one operation.
	 * @param memory makes grants that nobody else has
	 * @param timeout within which time it must have ended
	 */
	CounterSteps(StoreCommands commands, CounterDocument document, StoreMemory memory, Duration timeout) {
		this.commands = commands;
		this.document = document;
		this.memory = memory;
		this.deadline = new Deadline(timeout, memory.time());
	}

	/**
	 * Makes the steps of another operation on the counter, with time of its own.
	 */
	CounterSteps within(Duration timeout) {
		return new CounterSteps(this.commands, this.document, this.memory, timeout);
	}

	CounterDocument document() {
		return this.document;
	}

	Deadline deadline() {
		return this.deadline;
	}

	BsonValue freshGrant() {
		return this.memory.grants().get();
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
	CompletionStage<CounterDocument.@Nullable Max> read() {
		FieldQuery query = FieldQuery.of(this.document.collection(), CounterDocument.MAX, this.document.any());
		return this.commands.findOne(query, this.deadline.left())
			.thenApply((found) -> (found != null) ? this.document.maxOf(found) : null);
	}

	/**
	 * Sends a write that may lose a race.
	 * @return whether the filter matched
	 */
	CompletionStage<Boolean> write(BsonDocument filter, BsonDocument update) {
		return this.commands.updateOne(filter, update, false, this.deadline.left());
	}

	/**
	 * Returns the end of a range, if nothing was granted since.
	 * @return whether it went back
	 */
	CompletionStage<Boolean> giveBack(RangeReturn unused) {
		return this.commands.updateOne(this.document.latest(unused.max(), (BsonValue) unused.grant()),
				CounterDocument.moveTo(unused.lastIssued(), freshGrant()), false, unused.timeout());
	}

	/**
	 * Raises the counter to a floor, or creates it there; it is never lowered. The
	 * document is read first:
	 * <ul>
	 * <li>It is missing: create it at the floor.</li>
	 * <li>It is behind the floor: set {@code Max} to the floor, with a fresh
	 * {@code Grant}.</li>
	 * <li>It has reached the floor: set a fresh {@code Grant} where asked to, so that no
	 * return that is under way can go back below the floor.</li>
	 * <li>It is malformed: fail and change nothing.</li>
	 * </ul>
	 * Who loses a race reads again.
	 * @param renew whether returns that are under way have to be ruled out
	 */
	CompletionStage<Raised> raise(long floor, boolean renew) {
		return attempt(floor, () -> read().thenCompose((last) -> raise(last, floor, renew)));
	}

	/**
	 * Raises the counter where it is known already.
	 * @param last where it stood, or {@code null} if it was missing
	 */
	CompletionStage<Raised> raise(CounterDocument.@Nullable Max last, long floor, boolean renew) {
		Raised raised = (last != null) ? new Raised(last.value(), Math.max(last.value(), floor))
				: new Raised(null, floor);
		CompletionStage<Boolean> done = (last != null) ? change(last, floor, renew) : create(floor);
		return done.thenCompose((matched) -> matched ? CompletableFuture.completedFuture(raised) : raise(floor, renew));
	}

	private CompletionStage<Boolean> change(CounterDocument.Max last, long floor, boolean renew) {
		if (last.isDouble()) {
			return write(this.document.isDouble(last.value()),
					CounterDocument.moveTo(Math.max(last.value(), floor), freshGrant()));
		}
		if (last.value() < floor) {
			return write(this.document.behind(floor), CounterDocument.moveTo(floor, freshGrant()));
		}
		return renew ? write(this.document.countable(floor, 0), CounterDocument.renew(freshGrant()))
				: CompletableFuture.completedFuture(true);
	}

	/**
	 * Creates the counter.
	 * @return whether there was none
	 */
	private CompletionStage<Boolean> create(long max) {
		return this.commands
			.updateOne(this.document.any(), CounterDocument.createAt(max, freshGrant()), true, this.deadline.left())
			.thenApply((matched) -> !matched)
			.exceptionallyCompose((failure) -> Failures.hasCode(failure, Failures.DUPLICATE_KEY)
					? CompletableFuture.completedFuture(false) : CompletableFuture.failedFuture(failure));
	}

	/**
	 * What became of the counter.
	 *
	 * @param before where it stood, or {@code null} if it was created
	 * @param after where it stands
	 */
	record Raised(@Nullable Long before, long after) {
	}

}

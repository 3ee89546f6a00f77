package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.stored.Confirmation;
import io.github.hilo.internal.stored.RangeCheck;
import org.jspecify.annotations.Nullable;

/**
 * Ranges from counter documents in one MongoDB collection: <pre>
 * {
 *   _id:    "Raven/HiLo/orders",
 *   Max:    NumberLong(96),        // the highest number granted to any client
 *   Grants: [ObjectId("…"),        // fresh with every reservation, return and raise
 *            ObjectId("…")]        // that of the write before
 * }
 * </pre> Every write is one {@code findAndModify} that pushes a grant of its own and asks
 * for the document after it. It has happened only if the answer shows that grant first.
 * Otherwise it was taken for the repetition of another command, or is lost: it is sent
 * again with another grant, a few times, a reservation then for the smallest range that
 * will do. So nothing rests on the record of repeated commands that drivers and servers
 * keep ({@link CounterUpdates}).
 * <p>
 * Reserving a range of {@code size} above {@code floor} ({@link RangeReservation}):
 * <ol>
 * <li>One write counts {@code Max} up by {@code size}, if {@code Max} is an integer of at
 * least {@code floor} that does not overflow. The range is what ends at {@code Max}. At
 * the same time, where ids are numbers, one {@code find} asks for the highest stored one
 * above {@code floor}; where they are texts, one asks for those of the range that is
 * granted if nobody else has reserved since, or afterwards for those of the range
 * ({@link RangeCheck}).</li>
 * <li>The range is used if no document has an id of it. Otherwise it is discarded with a
 * warning. The next one lies above the highest stored number, or is twice as large if a
 * text was in the way. If that could not be checked, the range is returned and the
 * reservation fails.</li>
 * <li>If nothing matched in 1, the document is read to tell why. It is missing: create
 * it. It is behind the floor, because the database was restored or the counter lowered:
 * raise it, with a warning. It is an integral double, as the mongo shell writes: rewrite
 * it as an integer and reserve in the same step. It is malformed or exhausted: fail and
 * change nothing. It is none of these any more: somebody else was quicker.</li>
 * <li>A counter that is behind is raised to the floor. One that is created goes to the
 * floor or to the highest number that stored ids have, whichever is higher
 * ({@link RangeCheck#highest}).</li>
 * <li>Try again from 1, a bounded number of times, above what the counter was raised
 * to.</li>
 * </ol>
 * Returning the end of a range sets {@code Max} to the last issued number, if {@code Max}
 * is still the end of the range and {@code Grants} are still those of its reservation.
 * {@code Max} alone would not do: after a restored backup it can stand at the same number
 * again for somebody else. Neither would the latest grant alone: if a reservation and its
 * return are both carried out twice, the pair stands again, above numbers of others. The
 * driver repeats a return within its time.
 * <p>
 * Raising the counter to a floor that a caller vouches for checks no stored id.
 * <p>
 * An answer that leaves open whether the command was applied (a lost connection, a
 * timeout, an error of the write concern) is a failure: none of its numbers is ever used.
 */
final class MongoRangeStore implements RangeStore {

	private final DatabaseContext context;

	private final StoreCommands commands;

	/**
	 * Does nothing: where the database is resolved on every call, most stores are asked
	 * for nothing but its name.
	 */
	MongoRangeStore(DatabaseContext context, StoreCommands commands) {
		this.context = context;
		this.commands = commands;
	}

	@Override
	public String database() {
		return this.context.database();
	}

	@Override
	public String document(String sequence) {
		return this.context.counter(sequence).id();
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
			Consumer<CounterRepair> repaired) {
		CounterUpdates steps = steps(sequence, request.deadline());
		return translated(() -> this.context.serverPrefix(this.commands, steps.document(), steps.deadline().left())
			.thenCompose((prefix) -> new RangeReservation(steps, request,
					new RangeCheck(this.commands, this.context.memoryOf(sequence), steps.deadline(), prefix,
							request.places()),
					prefix, this.context.settings().maxSize().applyAsLong(sequence), repaired)
				.run()), "No range for " + steps.document().describe());
	}

	@Override
	public CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
		CounterUpdates steps = steps(sequence, unused.deadline());
		return translated(() -> steps.returnUnused(unused.lastIssued(), unused.max(), unused.grants()),
				"Unused numbers of " + steps.document().describe() + " may not have been returned");
	}

	@Override
	public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
		CounterUpdates steps = steps(sequence, deadline(timeout));
		return translated(() -> steps.raise(floor, true),
				"The counter of " + steps.document().describe() + " may not have been raised to " + floor);
	}

	@Override
	public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return translated(
				() -> new Confirmation(this.commands, this.context.memoryOf(sequence), deadline, place).stored(numbers),
				"No number for " + place.describe() + " from " + this.context.counter(sequence).describe());
	}

	private CounterUpdates steps(String sequence, Deadline deadline) {
		return new CounterUpdates(this.commands, this.context.counter(sequence), this.context, deadline);
	}

	private Deadline deadline(Duration timeout) {
		return new Deadline(timeout, this.context.time());
	}

	/**
	 * Makes one of our exceptions of what an operation fails with, or throws.
	 */
	private <T extends @Nullable Object> CompletionStage<T> translated(Supplier<CompletionStage<T>> operation,
			String whatFailed) {
		long beganNanos = this.context.time().nanoTime();
		return CompletableFuture.completedFuture(null)
			.thenCompose((none) -> operation.get())
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(Failures.translate(failure, whatFailed,
					Duration.ofNanos(this.context.time().nanoTime() - beganNanos))));
	}

}

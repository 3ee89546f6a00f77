package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.check.StoredIds;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.DatabaseFactory;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * Reserves ranges from counter documents in one MongoDB collection: <pre>
 * {
 *   _id:    "Raven/HiLo/orders",
 *   Max:    NumberLong(96),        // the highest number granted to any client
 *   Grants: [ObjectId("…"),        // new with every reservation, return and raise
 *            ObjectId("…")]        // that of the write before
 * }
 * </pre> Every write is one {@code findAndModify} that pushes a grant of its own and
 * returns the document after the change. The write has happened only if the answer shows
 * its grant first. Otherwise the server took the write for the repetition of another
 * command, or its effect is lost. Then the command is sent again with another grant, a
 * few times, and a reservation asks for the smallest range that suffices. So nothing
 * depends on the record of repeated commands that drivers and servers keep
 * ({@link CounterUpdates}).
 * <p>
 * Reserving a range of {@code size} above {@code floor} ({@link RangeReservation}):
 * <ol>
 * <li>One write adds {@code size} to {@code Max}, if {@code Max} is an integer of at
 * least {@code floor} that does not overflow. The range ends at the new {@code Max}.</li>
 * <li>If nothing matched in 1, the store reads the document to find out why. The document
 * is missing: one write creates it above the highest stored number
 * ({@link StoredIds#highest}), and grants the range. The counter is behind the floor,
 * because the database was restored or somebody lowered the counter: one write raises it
 * to the floor, and grants the range. The counter is an integral double, as the mongo
 * shell writes numbers: raise it to the next integer, and try again from 1. The counter
 * is malformed or exhausted: fail and change nothing.</li>
 * <li>None of these is true any more, because another client was quicker: try again from
 * 1, a bounded number of times.</li>
 * </ol>
 * Which numbers of a range documents have is found for each place, when the sequence is
 * about to issue numbers for it ({@link #stored}).
 * <p>
 * Returning the end of a range sets {@code Max} to the last issued number, if {@code Max}
 * is still the end of the range and {@code Grants} are still those of its reservation.
 * {@code Max} alone would not do, because it can have the same value again for another
 * client after a backup was restored. The latest grant alone would not do either: if a
 * reservation and its return are both carried out twice, the pair of {@code Max} and
 * latest grant stands again, above numbers of others. The driver repeats a return within
 * its time.
 * <p>
 * Raising the counter to a floor for a caller reads no stored id.
 * <p>
 * An answer that leaves open whether the command was applied (a lost connection, a
 * timeout, an error of the write concern) is a failure, and none of its numbers is ever
 * used.
 * <p>
 * Thread-safe: all fields are final.
 */
final class MongoRangeStore implements RangeStore {

	private final CounterDatabase database;

	// The settings of the client, each of which keeps its own, or the cluster if there is
	// only one client.
	private final Object client;

	private final boolean kept;

	private final Supplier<Commands> commands;

	/**
	 * @param commands makes what sends commands only when there is one to send, because
	 * most stores of a factory that chooses are only asked for the name of their database
	 */
	MongoRangeStore(CounterDatabase database, Object client, boolean kept, Supplier<Commands> commands) {
		this.database = database;
		this.client = client;
		this.kept = kept;
		this.commands = commands;
	}

	@Override
	public String database() {
		return this.database.name();
	}

	@Override
	public boolean hasClientOf(RangeStore other) {
		return other instanceof MongoRangeStore store && store.client == this.client;
	}

	@Override
	public boolean isKept() {
		return this.kept;
	}

	@Override
	public String counterId(String sequence) {
		return this.database.counter(sequence).id();
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
			Consumer<CounterRepair> repaired) {
		Commands commands = commands();
		CounterUpdates steps = steps(commands, sequence, request.deadline());
		StoredIds stored = stored(commands, sequence, request.deadline());
		return translated(sequence, request.deadline(), () -> this.database
			.serverPrefix(commands, steps.document(), request.deadline())
			.thenCompose((prefix) -> new RangeReservation(steps, request,
					() -> stored.highest(request.places().aboveWhichToStart(), prefix), prefix, repaired)
				.run()), "No range for " + steps.document().describe());
	}

	@Override
	public CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
		return translated(sequence, unused.deadline(), () -> returnOrRepeat(sequence, unused),
				"Unused numbers of " + this.database.counter(sequence).describe() + " may not have been returned");
	}

	/**
	 * Returns numbers. If that fails, sends the return once more through the client of a
	 * fixed factory, because the own client may be closed. The grants keep a second
	 * return from doing harm.
	 */
	private CompletionStage<Boolean> returnOrRepeat(String sequence, RangeReturn unused) {
		MongoRangeStore other = this.database.fallbackStore().get();
		CompletionStage<Boolean> returned = send(sequence, unused);
		return (other == null || !other.isKept() || hasClientOf(other)) ? returned
				: returned.exceptionallyCompose((failure) -> other.send(sequence, unused)
					.exceptionallyCompose((second) -> CompletableFuture.failedFuture(failure)));
	}

	private CompletionStage<Boolean> send(String sequence, RangeReturn unused) {
		return steps(commands(), sequence, unused.deadline()).returnUnused(unused.newMax(), unused.max(),
				unused.grants());
	}

	/**
	 * Records that a factory leads to this store, and cannot lead elsewhere.
	 */
	void fixedBy(DatabaseFactory<?> factory) {
		if (factory.isDefault()) {
			this.database.ofDefault(this);
		}
		else {
			this.database.used(this);
		}
	}

	@Override
	public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
		Deadline deadline = new Deadline(timeout, this.database.time());
		CounterUpdates steps = steps(commands(), sequence, deadline);
		return translated(sequence, deadline, () -> steps.raise(floor),
				"The counter of " + steps.document().describe() + " may not have been raised to " + floor);
	}

	@Override
	public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return translated(sequence, deadline, () -> stored(commands(), sequence, deadline).highestOf(numbers, place),
				"No number for " + place.describe() + " from " + this.database.counter(sequence).describe());
	}

	@Override
	public CompletionStage<Long> lowestStored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return translated(sequence, deadline, () -> stored(commands(), sequence, deadline).lowestOf(numbers, place),
				"No number for " + place.describe() + " from " + this.database.counter(sequence).describe());
	}

	private StoredIds stored(Commands commands, String sequence, Deadline deadline) {
		return new StoredIds(commands, this.database.checked(this.database.counter(sequence)), deadline);
	}

	private CounterUpdates steps(Commands commands, String sequence, Deadline deadline) {
		return new CounterUpdates(commands, this.database.counter(sequence), this.database, deadline);
	}

	String registerByName() {
		this.database.used(this);
		return database();
	}

	private Commands commands() {
		this.database.used(this);
		return this.commands.get();
	}

	/**
	 * Says also what to do if the collection of the counters refuses a command.
	 */
	private <T extends @Nullable Object> CompletionStage<T> translated(String sequence, Deadline deadline,
			Supplier<CompletionStage<T>> operation, String whatFailed) {
		long beganNanos = this.database.time().nanoTime();
		return CompletableFuture.completedFuture(null)
			.thenCompose((none) -> operation.get())
			.exceptionallyCompose((failure) -> {
				RuntimeException translated = Failures.translate(failure, whatFailed,
						Duration.ofNanos(this.database.time().nanoTime() - beganNanos).minus(deadline.waited()));
				String advice = CounterErrors.advice(failure, this.database.counter(sequence));
				return CompletableFuture.failedFuture(advice.isEmpty() ? translated
						: new HiLoUnavailableException(translated.getMessage() + advice, Failures.causeOf(failure)));
			});
	}

}

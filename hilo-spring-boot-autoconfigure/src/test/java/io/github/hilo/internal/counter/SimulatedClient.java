package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import io.github.hilo.fixture.VirtualTime;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * A process's driver and the network behind it: commands take their time, get lost, are
 * delivered twice or very late, and so do their answers. A command that loses its
 * connection is repeated once, a write under the same number, as the driver does for
 * retryable reads and writes. If the connection breaks again, the command fails.
 */
public final class SimulatedClient {

	private static final int READ_INTERRUPTED = 11601;

	private final SimulatedReplicaSet server;

	private final VirtualTime time;

	private final Random random;

	private final SimulatedGrants grants;

	private final Ledger ledger;

	private final CounterDatabase memory;

	private Faults faults;

	private boolean dead;

	private boolean cut;

	private boolean ignoringWriteConcernErrors;

	/**
	 * What its next write is told from others by.
	 */
	private Transaction transaction;

	public SimulatedClient(SimulatedReplicaSet server, VirtualTime time, Random random, Faults faults,
			SimulatedGrants grants, Ledger ledger) {
		this.server = server;
		this.time = time;
		this.random = random;
		this.faults = faults;
		this.grants = grants;
		this.ledger = ledger;
		this.transaction = new Transaction(new Object(), 0);
		this.memory = TestStores.memory("shop", time, grants);
	}

	/**
	 * Makes a store that uses this client.
	 */
	public RangeStore store(CounterMutant mutant) {
		return mutant.store(this);
	}

	/**
	 * Makes the implementation's store for one request. What it remembers, it shares with
	 * those of the process's other requests.
	 */
	RangeStore store(Commands commands) {
		return new MongoRangeStore(this.memory, this, true, () -> commands);
	}

	/**
	 * Goes on as the client of which this one is a copy, in the same session.
	 */
	public void continueAs(SimulatedClient original) {
		this.transaction = original.transaction;
	}

	/**
	 * Begins another command.
	 */
	Transaction newCommand() {
		this.transaction = new Transaction(this.transaction.session, this.transaction.number + 1);
		return this.transaction;
	}

	SimulatedGrants grants() {
		return this.grants;
	}

	VirtualTime time() {
		return this.time;
	}

	SimulatedReplicaSet server() {
		return this.server;
	}

	Ledger ledger() {
		return this.ledger;
	}

	/**
	 * Takes a write for acknowledged that was applied and then interrupted.
	 */
	void ignoreWriteConcernErrors() {
		this.ignoringWriteConcernErrors = true;
	}

	/**
	 * Ends the process: what is on its way arrives, and no answer is heard any more.
	 */
	public void die() {
		this.dead = true;
	}

	/**
	 * Lets everything work from now on.
	 */
	public void heal() {
		this.cut = false;
		this.faults = Faults.NONE;
		// As the documentation asks for: otherwise one copy may be refused for long.
		this.transaction = new Transaction(new Object(), 0);
	}

	/**
	 * Cuts the network, or mends it.
	 */
	public void cut(boolean cut) {
		this.cut = cut;
	}

	/**
	 * Sends a command.
	 */
	<A, T extends @Nullable Object> CompletableFuture<T> send(Deadline deadline,
			Consumer<Consumer<SimulatedReplicaSet.Reply<A>>> attempt,
			Function<SimulatedReplicaSet.Reply<A>, T> result) {
		Call<A, T> call = new Call<>(attempt, result);
		this.time.after(deadline.left(), call::timeOut);
		call.send();
		return call.answer;
	}

	/**
	 * Sends a find. A primary that was deposed may answer it, or it may fail.
	 */
	<T extends @Nullable Object> CompletableFuture<T> read(Deadline deadline,
			Function<SimulatedReplicaSet.State, T> result) {
		return this.<SimulatedReplicaSet.State, T>send(deadline, (reply) -> reply.accept(read()),
				(reply) -> result.apply(Objects.requireNonNull(reply.found())));
	}

	private SimulatedReplicaSet.Reply<SimulatedReplicaSet.State> read() {
		return chance(this.faults.reset) ? SimulatedReplicaSet.Reply.failed(READ_INTERRUPTED, "Interrupted")
				: SimulatedReplicaSet.Reply.of(this.server.read(this.random.nextBoolean()));
	}

	/**
	 * Sends a command that reads much, for which the server takes its time.
	 */
	<T> CompletableFuture<T> readSlowly(Deadline deadline, Function<SimulatedReplicaSet.State, T> result) {
		return this.<SimulatedReplicaSet.State, T>send(deadline, (reply) -> {
			Duration busy = Duration.ofMillis(this.random.nextLong(this.faults.busyMillis));
			this.time.after(busy, () -> reply.accept(read()));
		}, (reply) -> result.apply(Objects.requireNonNull(reply.found())));
	}

	/**
	 * Delivers something, maybe late, never or twice.
	 */
	private void transmit(Runnable delivery) {
		if (this.cut || chance(this.faults.loss)) {
			return;
		}
		this.time.after(delay(), delivery);
		if (chance(this.faults.repetition)) {
			this.time.after(delay().multipliedBy(20), delivery);
		}
	}

	private Duration delay() {
		long millis = chance(this.faults.lateness) ? this.random.nextInt(20_000) : 1 + this.random.nextInt(5);
		return Duration.ofMillis(millis);
	}

	private boolean chance(double likelihood) {
		return this.random.nextDouble() < likelihood;
	}

	/**
	 * A record of the ranges, and of what was stored when they were checked.
	 */
	public interface Ledger {

		/**
		 * A process was granted a range, and knows it.
		 * @param owner the process's client
		 * @param range the range
		 * @param damage how often the counter had been damaged when it was granted
		 */
		void granted(SimulatedClient owner, ReservedRange range, int damage);

		/**
		 * A reservation has created the counter and was granted a range. It comes before
		 * {@link #granted}.
		 * @param range the range
		 * @param highest what the members had that were asked for the highest number, or
		 * the primary has now if none was asked
		 */
		void created(ReservedRange range, StoredDocuments highest);

		/**
		 * A reservation has created the counter or raised it.
		 * @param before where it stood
		 * @param max where it stands
		 */
		void started(long before, long max);

		/**
		 * A find has answered which numbers are stored.
		 * @param owner the client that has asked
		 * @param place where
		 * @param numbers which it has asked for
		 * @param answer what it was told
		 * @param stored what the member had that answered
		 */
		void found(SimulatedClient owner, Place place, ReservedRange numbers, long answer, StoredDocuments stored);

		/**
		 * A find was sent that looks ahead.
		 * @return when, for the answer
		 */
		long sent();

		/**
		 * A find has answered what is free beyond its range.
		 * @param owner the client that has asked
		 * @param place where
		 * @param first the first number that it has asked for
		 * @param last the last one that is free with all before it
		 * @param sent when it was sent
		 * @param stored what the member had that answered
		 */
		void foundAhead(SimulatedClient owner, Place place, long first, long last, long sent, StoredDocuments stored);

		/**
		 * A range was not granted by the first command of its reservation. It comes
		 * before {@link #granted}.
		 */
		void repaired(ReservedRange range);

		/**
		 * A range was found to be taken.
		 * @param size how many numbers it has
		 */
		void taken(long size);

		/**
		 * The server has taken numbers back.
		 * @param owner whose return it was
		 * @param lastIssued the number before the first of them
		 * @param max the last of them
		 */
		void returned(SimulatedClient owner, long lastIssued, long max);

	}

	/**
	 * How likely each fault is, for one message.
	 *
	 */
	public record Faults(double loss, double repetition, double lateness, double reset, long busyMillis) {

		/**
		 * No faults.
		 */
		public static final Faults NONE = new Faults(0, 0, 0, 0, 5);

	}

	/**
	 * What tells one command from another.
	 *
	 */
	record Transaction(Object session, long number) {
	}

	/**
	 * A command under way.
	 */
	private final class Call<A, T extends @Nullable Object> {

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		private final Consumer<Consumer<SimulatedReplicaSet.Reply<A>>> attempt;

		private final Function<SimulatedReplicaSet.Reply<A>, T> result;

		private int retries = 1;

		Call(Consumer<Consumer<SimulatedReplicaSet.Reply<A>>> attempt,
				Function<SimulatedReplicaSet.Reply<A>, T> result) {
			this.attempt = attempt;
			this.result = result;
		}

		private void timeOut() {
			if (!SimulatedClient.this.dead) {
				this.answer.completeExceptionally(new MongoOperationTimeoutException("Timed out"));
			}
		}

		void send() {
			transmit(() -> this.attempt.accept(this::reply));
			if (chance(SimulatedClient.this.faults.reset)) {
				SimulatedClient.this.time.after(delay(), this::reset);
			}
		}

		private void reset() {
			if (SimulatedClient.this.dead || this.answer.isDone()) {
				return;
			}
			if (this.retries-- > 0) {
				send();
			}
			else {
				this.answer.completeExceptionally(
						new MongoSocketReadException("Prematurely reached end of stream", new ServerAddress()));
			}
		}

		private void reply(SimulatedReplicaSet.Reply<A> reply) {
			transmit(() -> finish(reply));
		}

		private void finish(SimulatedReplicaSet.Reply<A> reply) {
			MongoException failure = reply.failure();
			if (SimulatedClient.this.dead || this.answer.isDone()) {
				return;
			}
			boolean ignored = SimulatedClient.this.ignoringWriteConcernErrors && failure != null
					&& failure.getCode() == SimulatedReplicaSet.INTERRUPTED;
			if (failure != null && !ignored) {
				this.answer.completeExceptionally(failure);
			}
			else {
				this.answer.complete(this.result.apply(reply));
			}
		}

	}

}

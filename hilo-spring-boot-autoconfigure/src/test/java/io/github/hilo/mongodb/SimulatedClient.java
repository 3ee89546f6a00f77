package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import io.github.hilo.RangeStore;
import io.github.hilo.ReservedRange;
import io.github.hilo.StoredIdScope;

import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.VirtualTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A driver and the network behind it: commands take their time, get lost, are delivered
 * twice or very late, and so do their answers. A write that loses its connection is
 * repeated under the same number, as the driver does for retryable writes.
 */
public final class SimulatedClient implements StoreCommands {

	private final SimulatedReplicaSet server;

	private final VirtualTime time;

	private final Random random;

	private Faults faults;

	private final Ledger ledger;

	private boolean dead;

	private boolean cut;

	/**
	 * What the last answer said.
	 */
	private int damage;

	private boolean ignoringWriteConcernErrors;

	/**
	 * Creates a client.
	 * @param server what it talks to
	 * @param time the clock
	 * @param random what decides on faults
	 * @param faults how likely they are
	 * @param ledger what keeps record of the ranges
	 */
	public SimulatedClient(SimulatedReplicaSet server, VirtualTime time, Random random, Faults faults, Ledger ledger) {
		this.server = server;
		this.time = time;
		this.random = random;
		this.faults = faults;
		this.ledger = ledger;
	}

	void granted(ReservedRange range) {
		this.ledger.granted(this, range, this.damage);
	}

	/**
	 * Makes a store that uses this client.
	 * @param mutant what is wrong with the implementation
	 * @return the store of the only database
	 */
	public RangeStore store(CounterMutant mutant) {
		return mutant.store(this,
				TestStores.over("shop", mutant.commands(this), (database, sequence) -> StoredIdScope.NONE, this.time));
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
	}

	/**
	 * Cuts the network, or mends it.
	 * @param cut whether nothing gets through
	 */
	public void cut(boolean cut) {
		this.cut = cut;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Duration timeout) {
		return this.<@Nullable BsonDocument>write((documents) -> documents.update(filter, update, false), timeout,
				(found) -> found);
	}

	@Override
	public CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout) {
		return write((documents) -> {
			BsonDocument before = documents.update(filter, update, upsert);
			recordReturn(before, update);
			return before;
		}, timeout, (found) -> found != null);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
		Call<@Nullable BsonDocument> call = new Call<>(timeout, (found) -> found);
		BsonDocument filter = new BsonDocument("_id", new BsonString(id));
		transmit(() -> call
			.reply(new SimulatedReplicaSet.Reply(this.server.read(filter, this.random.nextBoolean()), 0, null)));
		return call.answer;
	}

	@Override
	public CompletionStage<List<BsonDocument>> findIds(IdQuery query, Duration timeout) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("There are no other documents"));
	}

	@Override
	public CompletionStage<@Nullable Void> forEachId(IdQuery query, Consumer<BsonDocument> visitor,
			Duration stepTimeout) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("There are no other documents"));
	}

	private void recordReturn(@Nullable BsonDocument before, BsonDocument update) {
		if (before != null && update.get("$set") instanceof BsonDocument set && set.containsKey(CounterDocument.MAX)) {
			this.ledger.returned(this, set.getNumber(CounterDocument.MAX).longValue(),
					before.getNumber(CounterDocument.MAX).longValue());
		}
	}

	private <T extends @Nullable Object> CompletionStage<T> write(Function<CounterModel, @Nullable BsonDocument> change,
			Duration timeout, Function<@Nullable BsonDocument, T> result) {
		long number = this.server.newCommand();
		Call<T> call = new Call<>(timeout, result);
		call.attempt = () -> this.server.write(number, change, (reply) -> call.reply(reply));
		call.send();
		return call.answer;
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
	 * A record of the ranges.
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
	 * @param loss it is lost
	 * @param repetition it is delivered again, later
	 * @param lateness it takes up to 20 seconds
	 * @param reset the connection breaks, which the driver notices and repeats the
	 * command
	 */
	public record Faults(double loss, double repetition, double lateness, double reset) {

		/**
		 * No faults.
		 */
		public static final Faults NONE = new Faults(0, 0, 0, 0);

	}

	/**
	 * A command under way.
	 */
	private final class Call<T extends @Nullable Object> {

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		private final Function<@Nullable BsonDocument, T> result;

		private Runnable attempt = () -> {
		};

		private int retries = 1;

		Call(Duration timeout, Function<@Nullable BsonDocument, T> result) {
			this.result = result;
			SimulatedClient.this.time.after(timeout, this::timeOut);
		}

		private void timeOut() {
			if (!this.answer.isDone()) {
				finish(new SimulatedReplicaSet.Reply(null, 0, new MongoOperationTimeoutException("Timed out")));
			}
		}

		void send() {
			transmit(this.attempt);
			if (this.retries > 0 && chance(SimulatedClient.this.faults.reset)) {
				this.retries--;
				SimulatedClient.this.time.after(delay(), () -> {
					if (!this.answer.isDone()) {
						send();
					}
				});
			}
		}

		void reply(SimulatedReplicaSet.Reply reply) {
			transmit(() -> finish(reply));
		}

		private void finish(SimulatedReplicaSet.Reply reply) {
			MongoException failure = reply.failure();
			if (SimulatedClient.this.dead || this.answer.isDone()) {
				return;
			}
			boolean ignored = SimulatedClient.this.ignoringWriteConcernErrors && failure != null
					&& failure.getCode() == SimulatedReplicaSet.STEPPED_DOWN;
			if (failure != null && !ignored) {
				this.answer.completeExceptionally(failure);
			}
			else {
				SimulatedClient.this.damage = reply.damage();
				this.answer.complete(this.result.apply(reply.found()));
			}
		}

	}

}

package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.VirtualTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A model of a replica set that holds the collection of the counters and those of the
 * documents: a log, of which a majority has a prefix. A write is acknowledged once the
 * majority has it. An election keeps that prefix, and maybe some of what follows; the
 * rest is rolled back, together with the record of the (session, transaction number)
 * pairs that it answered, which is how a repeated write gets the answer of the first one,
 * whoever sends it. The server may lose that record, or answer from another one. An old
 * primary that doesn't know of the election yet still answers reads.
 */
public final class SimulatedReplicaSet {

	static final int INTERRUPTED = 11602;

	private static final int INCOMPLETE_HISTORY = 217;

	/**
	 * So many writes may be carried out once more.
	 */
	private static final int RECENT = 3;

	private final List<State> log = new ArrayList<>(List.of(new State(new CounterModel(), StoredDocuments.NONE)));

	private final Map<SimulatedClient.Transaction, Applied> applied = new LinkedHashMap<>();

	private final List<Function<CounterModel, @Nullable BsonDocument>> recent = new ArrayList<>();

	private final List<Waiting> waiting = new ArrayList<>();

	private final VirtualTime time;

	private final Random random;

	private Duration lag = Duration.ofMillis(5);

	private int damage;

	private int committed;

	private @Nullable State oldPrimary;

	private boolean acknowledgingEarly;

	private double confusion;

	public SimulatedReplicaSet(VirtualTime time, Random random) {
		this.time = time;
		this.random = random;
	}

	/**
	 * Lets replication take longer, as with a secondary that is down.
	 */
	public void lag(Duration lag) {
		this.lag = lag;
	}

	/**
	 * Acknowledges writes that only the primary has, as for write concern 1.
	 */
	public void acknowledgeEarly() {
		this.acknowledgingEarly = true;
	}

	/**
	 * How often the counter has been damaged.
	 */
	public int damage() {
		return this.damage;
	}

	/**
	 * Lets the server forget that it has carried a command out, or which one it was.
	 */
	public void confuse(double confusion) {
		this.confusion = confusion;
	}

	/**
	 * Carries out a write, or answers what it was answered before, or another one.
	 */
	void write(SimulatedClient.Transaction transaction, Function<CounterModel, @Nullable BsonDocument> change,
			Consumer<Reply<BsonDocument>> reply) {
		Applied before = this.applied.get(transaction);
		if (before == null || isConfused()) {
			CounterModel next = primary().counters.copy();
			try {
				before = new Applied(this.log.size(), this.damage, change.apply(next));
			}
			catch (MongoCommandException ex) {
				reply.accept(new Reply<>(null, this.damage, ex));
				return;
			}
			append(new State(next, primary().documents));
			if (before.found != null) {
				this.applied.put(transaction, before);
				this.recent.add(change);
			}
		}
		else if (isConfused()) {
			reply.accept(Reply.failed(INCOMPLETE_HISTORY, "Incomplete history detected"));
			return;
		}
		Applied told = (isConfused() && !this.applied.isEmpty()) ? any() : before;
		this.waiting.add(new Waiting(before.index, new Reply<>(told.found, told.damage, null), reply));
		if (this.acknowledgingEarly) {
			acknowledge(this.log.size() - 1);
		}
		else {
			acknowledge(this.committed);
		}
	}

	/**
	 * Carries out a write of late once more, which a network or a migration has kept.
	 */
	public void carryOutAgain() {
		int count = this.recent.size();
		if (count == 0) {
			return;
		}
		CounterModel next = primary().counters.copy();
		try {
			if (this.recent.get(count - 1 - this.random.nextInt(Math.min(count, RECENT))).apply(next) != null) {
				append(new State(next, primary().documents));
			}
		}
		catch (MongoCommandException ex) {
			// It changes nothing.
		}
	}

	private boolean isConfused() {
		return this.confusion > 0 && this.random.nextDouble() < this.confusion;
	}

	private Applied any() {
		List<Applied> all = List.copyOf(this.applied.values());
		return all.get(this.random.nextInt(all.size()));
	}

	/**
	 * Stores documents, which nobody waits for.
	 */
	public void store(String collection, Collection<BsonValue> ids) {
		append(new State(primary().counters, primary().documents.with(collection, ids)));
	}

	private void append(State next) {
		this.log.add(next);
		this.time.after(Duration.ofMillis(this.random.nextLong(this.lag.toMillis())), this::replicate);
	}

	/**
	 * Finds what a read sees.
	 */
	State read(boolean stale) {
		return (stale && this.oldPrimary != null) ? this.oldPrimary : primary();
	}

	private void replicate() {
		this.committed = Math.min(this.log.size() - 1, this.committed + 1);
		this.oldPrimary = null;
		acknowledge(this.committed);
	}

	/**
	 * How many writes an election could roll back.
	 */
	private int uncommitted() {
		return this.log.size() - 1 - this.committed;
	}

	/**
	 * Elects another primary, which has as many of the uncommitted writes as it happens
	 * to.
	 */
	public void elect() {
		this.oldPrimary = primary();
		int size = this.committed + 1 + this.random.nextInt(uncommitted() + 1);
		this.log.subList(size, this.log.size()).clear();
		this.applied.values().removeIf((command) -> command.index >= size);
		List<Waiting> interrupted = List.copyOf(this.waiting);
		this.waiting.clear();
		interrupted.forEach((command) -> command.reply.accept(new Reply<>(command.answer.found, command.answer.damage,
				new MongoException(INTERRUPTED, "operation was interrupted"))));
	}

	/**
	 * Changes the counters as an administrator would, with a write that a majority has.
	 */
	public void administer(Consumer<CounterModel> change) {
		CounterModel next = primary().counters.copy();
		change.accept(next);
		replace(new State(next, primary().documents));
	}

	private void replace(State next) {
		this.log.add(next);
		while (uncommitted() > 0) {
			replicate();
		}
	}

	/**
	 * Changes the counters in a way that makes their numbers be granted again.
	 */
	public void damage(Consumer<CounterModel> change) {
		this.damage++;
		administer(change);
	}

	/**
	 * Removes all documents, and leaves the counters alone.
	 */
	public void deleteDocuments() {
		replace(new State(primary().counters, StoredDocuments.NONE));
	}

	/**
	 * Puts the counters back to an earlier state that a majority had, as from a backup.
	 */
	public void restore(boolean documents) {
		this.damage++;
		State backup = backup();
		this.log.subList(this.committed + 1, this.log.size()).clear();
		this.log.add(new State(backup.counters.copy(), (documents ? backup : primary()).documents));
		this.applied.clear();
		this.oldPrimary = null;
		this.waiting.clear();
		this.committed = this.log.size() - 1;
	}

	/**
	 * Puts the documents back to an earlier state that a majority had, and leaves the
	 * counters alone.
	 */
	public void restoreDocuments() {
		replace(new State(primary().counters, backup().documents));
	}

	private State backup() {
		return this.log.get(Math.max(0, this.committed - this.random.nextInt(6)));
	}

	/**
	 * Reads what the primary has.
	 */
	public State primary() {
		return this.log.get(this.log.size() - 1);
	}

	private void acknowledge(int upTo) {
		if (this.waiting.isEmpty()) {
			return;
		}
		List<Waiting> ended = this.waiting.stream().filter((command) -> command.index <= upTo).toList();
		this.waiting.removeAll(ended);
		ended.forEach((command) -> command.reply.accept(command.answer));
	}

	/**
	 * What a member has.
	 *
	 */
	public record State(CounterModel counters, StoredDocuments documents) {
	}

	/**
	 * What a command is answered.
	 *
	 */
	record Reply<T>(@Nullable T found, int damage, @Nullable MongoException failure) {

		static <T> Reply<T> of(T found) {
			return new Reply<>(found, 0, null);
		}

		static <T> Reply<T> failed(int code, String message) {
			return new Reply<>(null, 0, new MongoException(code, message));
		}

	}

	private record Applied(int index, int damage, @Nullable BsonDocument found) {
	}

	private record Waiting(int index, Reply<BsonDocument> answer, Consumer<Reply<BsonDocument>> reply) {
	}

}

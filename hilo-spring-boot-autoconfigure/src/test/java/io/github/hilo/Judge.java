package io.github.hilo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.mongodb.SimulatedClient;
import io.github.hilo.mongodb.SimulatedReplicaSet;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Watches what is issued, and what the counter says of it.
 */
final class Judge implements SimulatedClient.Ledger {

	private final SimulatedReplicaSet server;

	private final Set<Issue> issues = new HashSet<>();

	/**
	 * How often the counter had been damaged when a range was granted.
	 */
	private final IdentityHashMap<ReservedRange, Integer> damageBefore = new IdentityHashMap<>();

	/**
	 * The numbers that were granted since the counter was damaged, and not given back.
	 */
	private final Map<Long, SimulatedClient> owners = new HashMap<>();

	private int damage;

	/**
	 * The highest number issued from a range that was granted since the counter was
	 * damaged.
	 */
	private long highest;

	private long explained;

	private final List<Long> history = new ArrayList<>();

	private @Nullable String broken;

	Judge(SimulatedReplicaSet server) {
		this.server = server;
	}

	/**
	 * The numbers in the order in which they were issued, by whomever.
	 */
	List<Long> history() {
		return this.history;
	}

	/**
	 * A process has issued a number.
	 * @param last the number that it, or the process that it is a copy of, issued before
	 */
	void issued(Issued issued, long last) {
		long number = issued.number();
		ReservedRange range = issued.range().range();
		int damage = this.damageBefore.getOrDefault(range, 0);
		if (number < range.min() || number > range.max()) {
			broken("Number " + number + " lies outside " + range);
		}
		if (number <= last) {
			broken("A process that had issued " + last + " issued " + number);
		}
		if (!this.issues.add(new Issue(number, damage))) {
			broken("Number " + number + " was issued twice");
		}
		noticeDamage();
		if (damage == this.damage) {
			this.highest = Math.max(this.highest, number);
		}
		this.history.add(number);
	}

	@Override
	public void granted(SimulatedClient owner, ReservedRange range, int damage) {
		noticeDamage();
		this.damageBefore.put(range, damage);
		for (long number = range.min(); damage == this.damage && number <= range.max(); number++) {
			if (this.owners.put(number, owner) != null) {
				broken("Number " + number + " was granted again, with " + range);
			}
		}
	}

	@Override
	public void returned(SimulatedClient owner, long lastIssued, long max) {
		noticeDamage();
		for (long number = lastIssued + 1; number <= max; number++) {
			SimulatedClient granted = this.owners.remove(number);
			if (granted != null && granted != owner) {
				broken("Number " + number + " was given back by a process that it was not granted to");
			}
		}
	}

	/**
	 * How often the counter had been damaged by now.
	 */
	int damage() {
		noticeDamage();
		return this.damage;
	}

	/**
	 * The counter was lifted, and must not fall behind that any more.
	 * @param damage how often it had been damaged when that was asked for
	 */
	void lifted(long floor, int damage) {
		if (damage == damage()) {
			this.highest = Math.max(this.highest, floor);
		}
	}

	/**
	 * Something happened that costs numbers, as documented.
	 * @param count at most how many
	 */
	void mayLose(long count) {
		this.explained += count;
	}

	/**
	 * Looks at callers that asked when everything worked again.
	 * @throws BrokenPromise if one got no number
	 */
	void checkServed(List<PendingNumber> callers) {
		for (PendingNumber caller : callers) {
			CompletableFuture<@Nullable Issued> answer = caller.answer().toCompletableFuture();
			if (!answer.isDone() || answer.isCompletedExceptionally() || answer.join() == null) {
				throw new BrokenPromise("A caller got no number although everything worked: " + answer);
			}
		}
	}

	/**
	 * Looks for numbers that were reserved and not issued, when nobody holds any more.
	 * @throws BrokenPromise if there are more than can be explained
	 */
	void checkLosses() {
		long lost = max(counter()) - this.history.size();
		if (lost > this.explained) {
			throw new BrokenPromise(lost + " numbers were lost, and only " + this.explained + " can be explained");
		}
	}

	/**
	 * Looks at the counter, after every step.
	 * @throws BrokenPromise if a promise was broken by now
	 */
	void check() {
		noticeDamage();
		if (this.highest > 0) {
			BsonDocument counter = counter();
			if (max(counter) < this.highest) {
				broken("Number " + this.highest + " was issued, and the counter is " + counter);
			}
		}
		if (this.broken != null) {
			throw new BrokenPromise(this.broken);
		}
	}

	/**
	 * What was granted before the counter was damaged says nothing of it any more.
	 */
	private void noticeDamage() {
		if (this.damage != this.server.damage()) {
			this.damage = this.server.damage();
			this.highest = 0;
			this.owners.clear();
		}
	}

	@Nullable BsonDocument counter() {
		return this.server.primary().find(new BsonDocument("_id", new BsonString("Raven/HiLo/orders")));
	}

	static long max(@Nullable BsonDocument counter) {
		return (counter != null) ? counter.getNumber("Max").longValue() : 0;
	}

	void broken(String promise) {
		// Whoever completes a future would swallow an exception.
		this.broken = (this.broken != null) ? this.broken : promise;
	}

	/**
	 * A number, and how often the counter had been damaged when it was granted: nobody
	 * can see what others were granted before.
	 */
	private record Issue(long number, int damage) {
	}

	/**
	 * The promise is broken.
	 */
	static final class BrokenPromise extends RuntimeException {

		private static final long serialVersionUID = 1L;

		BrokenPromise(String message) {
			super(message);
		}

	}

}

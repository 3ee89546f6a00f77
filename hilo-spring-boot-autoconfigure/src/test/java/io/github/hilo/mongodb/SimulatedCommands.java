package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.fixture.CounterModel;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.ReservedRange;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one request to a store, and what they tell the {@link SimulatedClient}
 * and its ledger: which documents the members had that answered the looks.
 */
final class SimulatedCommands implements StoreCommands {

	private static final String COLLECTION = "orders";

	private static final int BATCH = 4;

	private static final int CURSOR_NOT_FOUND = 43;

	private final SimulatedClient client;

	private final @Nullable RangeRequest request;

	/**
	 * How often the counter had been damaged, as the last write was answered.
	 */
	private int damage;

	/**
	 * The range that was counted up to last.
	 */
	private @Nullable Numbers reserved;

	/**
	 * The first range that was found to be taken.
	 */
	private @Nullable Numbers taken;

	/**
	 * What the members had that were asked for the highest number.
	 */
	private @Nullable StoredDocuments highest;

	/**
	 * What the member had that was asked whether the range is free.
	 */
	private @Nullable StoredDocuments free;

	/**
	 * Creates commands.
	 * @param client what sends them
	 * @param request what is to be reserved, or {@code null} if nothing is
	 */
	SimulatedCommands(SimulatedClient client, @Nullable RangeRequest request) {
		this.client = client;
		this.request = request;
	}

	/**
	 * What the caller asked the range to lie above.
	 */
	long floor() {
		return (this.request != null) ? this.request.floor() : 0;
	}

	/**
	 * Tells a look at the highest number from one whether a range is free.
	 */
	static boolean isForHighest(IdQuery query) {
		return query.descending() || isPrefix(query);
	}

	private static boolean isPrefix(IdQuery query) {
		return query.filter().get("_id") instanceof BsonDocument bounds && bounds.isString("$lt");
	}

	/**
	 * Records that the reservation was answered with a range.
	 */
	void granted(ReservedRange range) {
		boolean single = this.request != null && this.request.single();
		SimulatedClient.Ledger ledger = this.client.ledger();
		ledger.lookedAt(range, single, (this.highest != null) ? this.highest : StoredDocuments.NONE,
				(this.free != null) ? this.free : stored());
		ledger.granted(this.client, range, this.damage);
	}

	/**
	 * The first range that was found to be taken, if any was.
	 */
	@Nullable Numbers taken() {
		return this.taken;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Duration timeout) {
		this.free = null;
		return this.<@Nullable BsonDocument>write((documents) -> documents.update(filter, update, false), timeout,
				(before) -> {
					if (before != null) {
						long max = before.getNumber(CounterDocument.MAX).longValue();
						long size = update.getDocument("$inc").getNumber(CounterDocument.MAX).longValue();
						this.reserved = new Numbers(max + 1, max + size);
					}
					return before;
				});
	}

	@Override
	public CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout) {
		StoredDocuments highest = this.highest;
		return write((documents) -> {
			BsonDocument before = documents.update(filter, update, upsert);
			recordReturn(before, update);
			if (this.request != null) {
				recordStart(filter, before, update, (highest != null) ? highest : stored());
			}
			return before;
		}, timeout, (before) -> before != null);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
		BsonDocument filter = new BsonDocument("_id", new BsonString(id));
		return this.client.<@Nullable BsonDocument>read(timeout, (member) -> member.counters().find(filter));
	}

	@Override
	public CompletionStage<List<BsonDocument>> findIds(IdQuery query, Duration timeout) {
		saw(query, stored());
		return this.client.read(timeout, (member) -> {
			saw(query, member.documents());
			List<BsonDocument> found = in(query, member).find(query);
			Numbers range = this.reserved;
			if (!isForHighest(query) && !found.isEmpty() && range != null) {
				this.taken = (this.taken != null) ? this.taken : range;
				this.client.ledger().taken(range.max - range.min + 1);
			}
			return found;
		});
	}

	@Override
	public CompletionStage<@Nullable Void> forEachId(IdQuery query, Consumer<BsonDocument> visitor,
			Duration stepTimeout) {
		saw(query, stored());
		Walk walk = new Walk(query, visitor, stepTimeout);
		this.client.walking(walk.answer);
		walk.goOn("");
		return walk.answer;
	}

	/**
	 * Finds the documents of a collection. Another one than that of the sequence's name
	 * is empty.
	 */
	private static StoredDocuments in(IdQuery query, SimulatedReplicaSet.State member) {
		return query.collection().equals(COLLECTION) ? member.documents() : StoredDocuments.NONE;
	}

	/**
	 * Records what a member had, whatever it was asked and answered.
	 */
	private void saw(IdQuery query, StoredDocuments documents) {
		if (isForHighest(query)) {
			this.highest = combine(this.highest, query, documents);
		}
		else {
			this.free = documents;
		}
	}

	/**
	 * A look at the highest number asks for numbers first, and then for texts.
	 */
	private static StoredDocuments combine(@Nullable StoredDocuments before, IdQuery query, StoredDocuments documents) {
		return (before == null) ? documents
				: isPrefix(query) ? before.withTextsOf(documents) : before.withNumbersOf(documents);
	}

	private StoredDocuments stored() {
		return this.client.server().primary().documents();
	}

	private void recordReturn(@Nullable BsonDocument before, BsonDocument update) {
		if (before != null && update.get("$set") instanceof BsonDocument set && set.containsKey(CounterDocument.MAX)) {
			this.client.ledger()
				.returned(this.client, set.getNumber(CounterDocument.MAX).longValue(),
						before.getNumber(CounterDocument.MAX).longValue());
		}
	}

	private void recordStart(BsonDocument filter, @Nullable BsonDocument before, BsonDocument update,
			StoredDocuments highest) {
		SimulatedClient.Ledger ledger = this.client.ledger();
		if (before == null && update.get("$setOnInsert") instanceof BsonDocument created) {
			ledger.started(0, created.getNumber(CounterDocument.MAX).longValue(), highest);
		}
		else if (before != null && filter.get(CounterDocument.MAX) instanceof BsonDocument condition
				&& condition.containsKey("$lt")) {
			ledger.started(before.getNumber(CounterDocument.MAX).longValue(),
					update.getDocument("$set").getNumber(CounterDocument.MAX).longValue(), highest);
		}
	}

	private <T extends @Nullable Object> CompletionStage<T> write(Function<CounterModel, @Nullable BsonDocument> change,
			Duration timeout, Function<@Nullable BsonDocument, T> result) {
		SimulatedReplicaSet server = this.client.server();
		long number = server.newCommand();
		return this.client.<BsonDocument, T>send(timeout, (reply) -> server.write(number, change, reply), (reply) -> {
			this.damage = reply.damage();
			return result.apply(reply.found());
		});
	}

	/**
	 * The numbers of a range.
	 */
	record Numbers(long min, long max) {
	}

	/**
	 * A cursor, which reads one batch after the other from the member that it was opened
	 * on. That may be deposed meanwhile: then it fails, or sees what was there by then.
	 */
	private final class Walk {

		private final CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();

		private final IdQuery query;

		private final Consumer<BsonDocument> visitor;

		private final Duration stepTimeout;

		private SimulatedReplicaSet.@Nullable State member;

		private boolean deposed;

		private int elections;

		private @Nullable StoredDocuments had;

		Walk(IdQuery query, Consumer<BsonDocument> visitor, Duration stepTimeout) {
			this.query = query;
			this.visitor = visitor;
			this.stepTimeout = stepTimeout;
		}

		void goOn(String after) {
			var unused = SimulatedCommands.this.client.readBatch(this.stepTimeout, this::read)
				.whenComplete((member, failure) -> {
					if (failure != null) {
						this.answer.completeExceptionally(failure);
					}
					else if (!this.answer.isDone()) {
						visit(in(this.query, member).batch(this.query, after, BATCH), member.documents());
					}
				});
		}

		private SimulatedReplicaSet.Reply<SimulatedReplicaSet.State> read(boolean coin) {
			SimulatedReplicaSet server = SimulatedCommands.this.client.server();
			SimulatedReplicaSet.State next = this.member;
			if (next == null) {
				this.elections = server.elections();
				this.deposed = coin && server.hasOldPrimary();
				next = server.read(coin);
			}
			else if (this.elections != server.elections()) {
				if (coin) {
					return SimulatedReplicaSet.Reply.failed(CURSOR_NOT_FOUND, "Cursor not found");
				}
				this.deposed = true;
			}
			this.member = this.deposed ? next : server.primary();
			return SimulatedReplicaSet.Reply.of(this.member);
		}

		/**
		 * What is removed during the walk needs no number of its own any more.
		 */
		private void visit(List<BsonDocument> batch, StoredDocuments stored) {
			this.had = (this.had != null) ? this.had.and(stored) : stored;
			saw(this.query, this.had);
			batch.forEach(this.visitor);
			if (batch.size() < BATCH) {
				this.answer.complete(null);
			}
			else {
				goOn(batch.get(BATCH - 1).getString("_id").getValue());
			}
		}

	}

}

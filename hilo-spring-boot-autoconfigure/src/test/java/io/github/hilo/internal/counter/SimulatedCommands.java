package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.fixture.CounterModel;
import io.github.hilo.internal.mongodb.FieldQuery;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one request to a store, and what they tell the {@link SimulatedClient}
 * and its ledger: which documents the members had that answered the finds.
 */
final class SimulatedCommands implements StoreCommands {

	private static final BsonDocument NONE = new BsonDocument();

	private static final BsonInt64 NOTHING = new BsonInt64(0);

	private static final int BATCH = 4;

	private static final int CURSOR_NOT_FOUND = 43;

	private final SimulatedClient client;

	private final @Nullable RangeRequest request;

	/**
	 * How often the counter had been damaged, as the last write was answered.
	 */
	private int damage;

	/**
	 * How many reservations were sent.
	 */
	private int attempt;

	/**
	 * The range that was counted up to last.
	 */
	private @Nullable Numbers reserved;

	/**
	 * What the members had that were asked for the highest number.
	 */
	private @Nullable StoredDocuments numbers;

	/**
	 * What the members had that were asked for all texts.
	 */
	private @Nullable StoredDocuments texts;

	/**
	 * What the members had whose answers say that the range is free.
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
	 * Tells a find where the counter has to start from one whether a range is free. That
	 * of the highest number is both.
	 */
	static boolean isForHighest(FieldQuery query) {
		return query.descending() || isPrefix(query);
	}

	static boolean isPrefix(FieldQuery query) {
		BsonDocument first = StoredDocuments.conditions(query).get(0);
		return first.isString("$lt") && !first.containsKey("$regex");
	}

	/**
	 * Records that the reservation was answered with a range.
	 */
	void granted(ReservedRange range) {
		SimulatedClient.Ledger ledger = this.client.ledger();
		ledger.checked(range, StoredDocuments.of(StoredDocuments.NONE, orElse(this.texts, StoredDocuments.NONE)),
				orElse(this.free, stored()));
		ledger.granted(this.client, range, this.damage);
	}

	/**
	 * Records that numbers were confirmed.
	 * @param stored what the answer says
	 */
	void confirmed(Place place, ReservedRange numbers, long stored) {
		this.client.ledger().confirmed(this.client, place, numbers, stored, orElse(this.free, stored()));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			boolean upsert, Duration timeout) {
		long size = update.getDocument("$inc", NONE).getNumber(CounterDocument.MAX, NOTHING).longValue();
		if (size > 0) {
			this.free = null;
			this.attempt++;
			discardLast();
		}
		StoredDocuments highest = StoredDocuments.of(orElse(this.numbers, stored()), orElse(this.texts, stored()));
		AtomicInteger times = new AtomicInteger();
		return this.<@Nullable BsonDocument>write((documents) -> {
			BsonDocument before = documents.find(filter);
			BsonDocument after = documents.update(filter, update, upsert);
			if (times.getAndIncrement() > 0 && size > 0) {
				// Carried out again, it grants numbers that nobody learns of.
				this.client.ledger().taken(size);
			}
			recordReturn(before, update);
			if (this.request != null) {
				recordStart(filter, before, update, highest);
			}
			return after;
		}, timeout, (after) -> {
			if (after != null && size > 0) {
				learn(after, update, size);
			}
			return after;
		});
	}

	private void learn(BsonDocument after, BsonDocument update, long size) {
		BsonDocument push = update.getDocument("$push", NONE);
		if (push.isEmpty()
				|| CounterDocument.isOwn(after, push.getDocument(CounterDocument.GRANTS).getArray("$each").get(0))) {
			long max = after.getNumber(CounterDocument.MAX).longValue();
			this.reserved = new Numbers(max - size + 1, max);
		}
		else {
			this.client.ledger().taken(size);
		}
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findCounter(BsonDocument filter, Duration timeout) {
		return this.client.<@Nullable BsonDocument>read(timeout, (member) -> member.counters().find(filter));
	}

	/**
	 * Another attempt begins, so the range of the last one was found to be taken.
	 */
	private void discardLast() {
		Numbers last = this.reserved;
		if (last != null) {
			this.client.ledger().taken(last.max - last.min + 1);
			this.reserved = null;
		}
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout) {
		saw(query, stored());
		int attempt = this.attempt;
		return this.client.<@Nullable BsonDocument>read(timeout, (member) -> {
			// A find beside an earlier reservation says nothing of this one.
			if (attempt == this.attempt) {
				saw(query, member.documents());
			}
			return member.documents().find(query);
		});
	}

	@Override
	public CompletionStage<List<BsonDocument>> listIndexes(String collection, Duration timeout) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("Only ids count here"));
	}

	@Override
	public CompletionStage<@Nullable Void> forEach(FieldQuery query, Consumer<BsonDocument> visitor,
			Duration stepTimeout) {
		saw(query, stored());
		Scan scan = new Scan(query, visitor, stepTimeout);
		this.client.scanning(scan.answer);
		scan.goOn("");
		return scan.answer;
	}

	/**
	 * Records what a member had, whatever it was asked and answered.
	 */
	private void saw(FieldQuery query, StoredDocuments documents) {
		if (isPrefix(query)) {
			this.texts = combine(this.texts, query, documents);
			return;
		}
		this.free = combine(this.free, query, documents);
		if (query.descending()) {
			this.numbers = combine(this.numbers, query, documents);
		}
	}

	private static StoredDocuments orElse(@Nullable StoredDocuments seen, StoredDocuments otherwise) {
		return (seen != null) ? seen : otherwise;
	}

	private static StoredDocuments combine(@Nullable StoredDocuments before, FieldQuery query,
			StoredDocuments documents) {
		if (before == null) {
			return documents;
		}
		if (!StoredDocuments.isText(StoredDocuments.conditions(query).get(0))) {
			return before.withNumbersOf(query.collection(), documents);
		}
		// Each number of digits is asked for by a find of its own, and none says anything
		// of what the others answer.
		return query.descending() ? before.withTextsInBoth(query.collection(), documents)
				: before.withTextsOf(query.collection(), documents);
	}

	private StoredDocuments stored() {
		return this.client.server().primary().documents();
	}

	/**
	 * Records what a write took back: nothing where it raises the counter.
	 */
	private void recordReturn(@Nullable BsonDocument before, BsonDocument update) {
		if (before != null && update.get("$set") instanceof BsonDocument set) {
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
		SimulatedClient.Transaction transaction = this.client.newCommand();
		return this.client.<BsonDocument, T>send(timeout, (reply) -> server.write(transaction, change, reply),
				(reply) -> {
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
	private final class Scan {

		private final CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();

		private final FieldQuery query;

		private final Consumer<BsonDocument> visitor;

		private final Duration stepTimeout;

		private SimulatedReplicaSet.@Nullable State member;

		private boolean deposed;

		private int elections;

		private @Nullable StoredDocuments had;

		Scan(FieldQuery query, Consumer<BsonDocument> visitor, Duration stepTimeout) {
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
						visit(member.documents().batch(this.query, after, BATCH), member.documents());
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
		 * What is removed during the scan needs no number of its own any more.
		 */
		private void visit(List<BsonDocument> batch, StoredDocuments stored) {
			this.had = (this.had != null) ? this.had.withTextsInBoth(this.query.collection(), stored) : stored;
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

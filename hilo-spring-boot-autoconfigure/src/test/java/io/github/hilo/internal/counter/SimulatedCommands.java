package io.github.hilo.internal.counter;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.github.hilo.fixture.CounterModel;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.Deadline;
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
final class SimulatedCommands implements Commands {

	private static final BsonDocument NONE = new BsonDocument();

	private static final BsonInt64 NOTHING = new BsonInt64(0);

	private final CounterMutant mutant;

	private final SimulatedClient client;

	private final @Nullable RangeRequest request;

	/**
	 * How often the counter had been damaged, as the last write was answered.
	 */
	private int damage;

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
	 * What the counter was created above by the last write, if it was.
	 */
	private @Nullable StoredDocuments highest;

	private int writes;

	SimulatedCommands(CounterMutant mutant, SimulatedClient client, @Nullable RangeRequest request) {
		this.mutant = mutant;
		this.client = client;
		this.request = request;
	}

	/**
	 * Records that the reservation was answered with a range.
	 */
	void granted(ReservedRange range) {
		SimulatedClient.Ledger ledger = this.client.ledger();
		StoredDocuments highest = this.highest;
		if (highest != null) {
			ledger.created(range, highest);
		}
		if (this.writes > 1) {
			ledger.repaired(range);
		}
		ledger.granted(this.client, range, this.damage);
	}

	/**
	 * Records what a find has shown from its first number on.
	 */
	void foundAhead(Place place, ReservedRange numbers, long lowest, long sent) {
		long last = (lowest > 0) ? lowest - 1 : numbers.max();
		this.client.ledger().foundAhead(this.client, place, numbers.min(), last, sent, orElse(this.free, stored()));
	}

	/**
	 * Records the answer of a find.
	 */
	void found(Place place, ReservedRange numbers, long stored) {
		this.client.ledger().found(this.client, place, numbers, stored, orElse(this.free, stored()));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Commands.IfAbsent ifAbsent, Deadline deadline) {
		this.writes++;
		long size = update.getDocument("$inc", NONE).getNumber(CounterDocument.MAX, NOTHING).longValue();
		boolean upsert = ifAbsent == Commands.IfAbsent.CREATE;
		this.highest = upsert ? StoredDocuments.of(orElse(this.numbers, stored()), orElse(this.texts, stored())) : null;
		AtomicInteger times = new AtomicInteger();
		return this.<@Nullable BsonDocument>write((documents) -> {
			BsonDocument sent = this.mutant.updateFilter(filter);
			BsonDocument before = documents.find(sent);
			BsonDocument after = documents.update(sent, update, upsert);
			if (times.getAndIncrement() > 0 && size > 0) {
				// Carried out again, it grants numbers that nobody learns of.
				this.client.ledger().taken(size);
			}
			recordReturn(before, update);
			if (this.request != null) {
				recordStart(sent, before, update);
			}
			return after;
		}, deadline, (after) -> {
			if (after != null && (size > 0 || this.request != null)) {
				learn(after, update, (this.request != null) ? Math.max(size, this.request.size()) : size);
			}
			return this.mutant.believed(after, update);
		}).whenComplete((after, failure) -> {
			if (failure != null && this.request != null
					&& (upsert || (times.get() > 0 && Failures.isWithoutOwnAnswer(failure)))) {
				// The counter was created, or the server no longer knew that it had
				// carried
				// the command out: a range that nobody learns of.
				this.client.ledger().taken(Math.max(size, this.request.size()));
			}
		});
	}

	private void learn(BsonDocument after, BsonDocument update, long size) {
		if (!CounterDocument.isOwn(after, CounterMutant.grantIn(update))) {
			this.client.ledger().taken(size);
		}
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
		if (query.collection().equals(TestStores.COUNTERS)) {
			return this.client.<@Nullable BsonDocument>read(deadline,
					(member) -> member.counters().find(query.filter()));
		}
		return this.mutant.find(this, query, deadline);
	}

	CompletionStage<@Nullable BsonDocument> find(Query query, Deadline deadline) {
		saw(query, stored());
		return this.client.<@Nullable BsonDocument>read(deadline, (member) -> {
			saw(query, member.documents());
			return member.documents().find(query);
		});
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, String field, List<BsonDocument> pipeline,
			Deadline deadline) {
		// In a place of numbers it says nothing of the texts of ids.
		boolean ofIds = StoredDocuments.headIn(pipeline) > 0;
		return this.mutant.aggregate(this.client.readSlowly(deadline, (member) -> {
			if (ofIds) {
				this.texts = (this.texts != null) ? this.texts.withTextsOf(collection, member.documents())
						: member.documents();
			}
			return member.documents().aggregate(collection, pipeline);
		}));
	}

	/**
	 * Records what a member had, whatever it was asked and answered.
	 */
	private void saw(Query query, StoredDocuments documents) {
		this.free = combine(this.free, query, documents);
		if (StoredDocuments.asksForTheHighest(query)) {
			this.numbers = combine(this.numbers, query, documents);
		}
	}

	private static StoredDocuments orElse(@Nullable StoredDocuments seen, StoredDocuments otherwise) {
		return (seen != null) ? seen : otherwise;
	}

	private static StoredDocuments combine(@Nullable StoredDocuments before, Query query, StoredDocuments documents) {
		if (before == null) {
			return documents;
		}
		if (!StoredDocuments.isText(StoredDocuments.conditions(query).get(0))) {
			return before.withNumbersOf(query.collection(), documents);
		}
		// Each number of digits is asked for by a find of its own, and none says anything
		// of what the others answer.
		return StoredDocuments.asksForTheHighest(query) ? before.withTextsInBoth(query.collection(), documents)
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

	private void recordStart(BsonDocument filter, @Nullable BsonDocument before, BsonDocument update) {
		SimulatedClient.Ledger ledger = this.client.ledger();
		if (before == null && update.get("$setOnInsert") instanceof BsonDocument created) {
			ledger.started(0, created.getNumber(CounterDocument.MAX).longValue());
		}
		else if (before != null && filter.get(CounterDocument.MAX) instanceof BsonDocument condition
				&& condition.containsKey("$lt")) {
			ledger.started(before.getNumber(CounterDocument.MAX).longValue(),
					update.getDocument("$set").getNumber(CounterDocument.MAX).longValue());
		}
	}

	private <T extends @Nullable Object> CompletionStage<T> write(Function<CounterModel, @Nullable BsonDocument> change,
			Deadline deadline, Function<@Nullable BsonDocument, T> result) {
		SimulatedReplicaSet server = this.client.server();
		SimulatedClient.Transaction transaction = this.client.newCommand();
		return this.client.<BsonDocument, T>send(deadline, (reply) -> server.write(transaction, change, reply),
				(reply) -> {
					this.damage = reply.damage();
					return result.apply(reply.found());
				});
	}

}

package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A defect in the protocol, made on purpose: a simulation that doesn't notice it proves
 * nothing.
 */
public enum CounterMutant {

	/**
	 * The implementation as it is.
	 */
	NONE,

	/**
	 * Writes are acknowledged by the primary alone.
	 */
	WRITE_CONCERN_1 {

		@Override
		public void apply(SimulatedReplicaSet server) {
			server.acknowledgeEarly();
		}

	},

	/**
	 * A return lowers the counter whoever was granted its end.
	 */
	RETURN_WITHOUT_COMPARING_GRANT {

		@Override
		BsonDocument updateFilter(BsonDocument filter) {
			return without(filter, "Grants");
		}

	},

	/**
	 * A return lowers the counter if its end was granted to this process last, whatever
	 * was granted before. Too rare for the simulation, so MongoRangeStoreTests compare
	 * both grants.
	 */
	RETURN_COMPARES_LATEST_GRANT_ALONE {

		@Override
		BsonDocument updateFilter(BsonDocument filter) {
			return filter.containsKey("Grants")
					? without(filter, "Grants").append("Grants.0", filter.getArray("Grants").get(0)) : filter;
		}

	},

	/**
	 * The answer to a reservation is taken for its own, whosever it is.
	 */
	RESERVATION_BELIEVED {

		@Override
		boolean believes(BsonDocument update) {
			return update.containsKey("$inc");
		}

	},

	/**
	 * The answer to the creation of a counter is taken for its own.
	 */
	CREATION_BELIEVED {

		@Override
		boolean believes(BsonDocument update) {
			return update.containsKey("$setOnInsert");
		}

	},

	/**
	 * The answer to a raise is taken for its own.
	 */
	RAISE_BELIEVED {

		@Override
		boolean believes(BsonDocument update) {
			return !update.containsKey("$inc") && !update.containsKey("$setOnInsert");
		}

	},

	/**
	 * A reservation doesn't say what this process has issued.
	 */
	FLOOR_NOT_SENT {

		@Override
		RangeRequest request(RangeRequest request) {
			return new RangeRequest(request.size(), request.least(), 0, true, request.places(), request.deadline());
		}

	},

	/**
	 * A raise leaves the grant as it is, so that a return can undo it.
	 */
	RAISE_KEEPS_GRANT {

		@Override
		CompletionStage<Long> raise(SimulatedClient client, RangeStore store, String sequence, long floor,
				Duration timeout) {
			BsonDocument behind = new CounterDocument(store.counterId(sequence), sequence, "shop", "@hilo")
				.behind(floor);
			return new SimulatedCommands(this, client, null)
				.findOneAndUpdate(behind, new BsonDocument("$set", new BsonDocument("Max", new BsonInt64(floor))),
						Commands.IfAbsent.NOTHING, new Deadline(timeout, client.time()))
				.thenApply((after) -> floor);
		}

	},

	/**
	 * A range is used although its write may be rolled back.
	 */
	RANGE_USED_AFTER_WRITE_CONCERN_ERROR {

		@Override
		RangeStore store(SimulatedClient client) {
			client.ignoreWriteConcernErrors();
			return super.store(client);
		}

	},

	/**
	 * The highest stored number is not asked for.
	 */
	HIGHEST_NOT_CHECKED((query) -> StoredDocuments.asksForTheHighest(query) ? null : query),

	/**
	 * A counter that is created starts at the floor, whatever texts are stored.
	 */
	TEXTS_NOT_COUNTED {

		@Override
		CompletionStage<List<BsonDocument>> aggregate(CompletionStage<List<BsonDocument>> groups) {
			return CompletableFuture.completedFuture(List.of());
		}

	},

	/**
	 * A check that failed has found nothing.
	 */
	FAILED_CHECK_FINDS_NOTHING {

		@Override
		CompletionStage<@Nullable BsonDocument> find(SimulatedCommands commands, Query query, Deadline deadline) {
			return commands.find(query, deadline).exceptionally((failure) -> null);
		}

		@Override
		CompletionStage<List<BsonDocument>> aggregate(CompletionStage<List<BsonDocument>> groups) {
			return groups.exceptionally((failure) -> List.of());
		}

	},

	/**
	 * The last number of a range may be taken.
	 */
	RANGE_CHECKED_BUT_FOR_ITS_LAST(
			(query) -> StoredDocuments.asksForTheHighest(query) ? query : with(query, butForTheLast(query.filter()))),

	/**
	 * Of a range only the texts are checked whose numbers have as many digits as its
	 * first one.
	 */
	FEWEST_DIGITS_CHECKED(
			(query) -> StoredDocuments.asksForTheHighest(query) ? query : with(query, firstOf(query.filter()))),

	/**
	 * A find says that nothing is stored.
	 */
	NOTHING_IS_FOUND {

		@Override
		CompletionStage<Long> stored(RangeStore store, String sequence, Place place, ReservedRange numbers,
				Deadline deadline) {
			return super.stored(store, sequence, place, numbers, deadline).thenApply((stored) -> 0L);
		}

		@Override
		long lowest(long found) {
			return 0;
		}

	},

	/**
	 * A find begins above the first number of its range.
	 */
	FIND_BEGINS_ABOVE_THE_FIRST {

		@Override
		CompletionStage<Long> stored(RangeStore store, String sequence, Place place, ReservedRange numbers,
				Deadline deadline) {
			return (numbers.size() == 1) ? CompletableFuture.completedFuture(0L) : super.stored(store, sequence, place,
					new ReservedRange(numbers.min() + 1, numbers.max(), "", List.of()), deadline);
		}

	},

	/**
	 * Grants come from a generator whose state is in the process, and in its copies.
	 */
	COPIES_MAKE_THE_SAME_GRANTS {

		@Override
		public void copied(SimulatedClient copy, SimulatedClient original) {
			copy.grants().continueAs(original.grants());
		}

	};

	@SuppressWarnings("ImmutableEnumChecker") // none of them has a state
	private final Function<Query, @Nullable Query> check;

	CounterMutant() {
		this((query) -> query);
	}

	CounterMutant(Function<Query, @Nullable Query> check) {
		this.check = check;
	}

	/**
	 * Changes the server.
	 */
	public void apply(SimulatedReplicaSet server) {
	}

	/**
	 * Changes a copy of a process.
	 */
	public void copied(SimulatedClient copy, SimulatedClient original) {
	}

	BsonDocument updateFilter(BsonDocument filter) {
		return filter;
	}

	RangeRequest request(RangeRequest request) {
		return request;
	}

	CompletionStage<Long> stored(RangeStore store, String sequence, Place place, ReservedRange numbers,
			Deadline deadline) {
		return store.stored(sequence, place, numbers, deadline);
	}

	long lowest(long found) {
		return found;
	}

	/**
	 * Whether the answer to a write is taken for its own, whosever it is.
	 */
	boolean believes(BsonDocument update) {
		return false;
	}

	CompletionStage<Long> raise(SimulatedClient client, RangeStore store, String sequence, long floor,
			Duration timeout) {
		return store.raise(sequence, floor, timeout);
	}

	CompletionStage<@Nullable BsonDocument> find(SimulatedCommands commands, Query query, Deadline deadline) {
		Query sent = this.check.apply(query);
		return (sent != null) ? commands.find(sent, deadline) : CompletableFuture.completedFuture(null);
	}

	CompletionStage<List<BsonDocument>> aggregate(CompletionStage<List<BsonDocument>> groups) {
		return groups;
	}

	RangeStore store(SimulatedClient client) {
		RangeStore names = client.store(new SimulatedCommands(this, client, null));
		return new RangeStore() {

			@Override
			public String database() {
				return names.database();
			}

			@Override
			public String counterId(String sequence) {
				return names.counterId(sequence);
			}

			@Override
			public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
					Consumer<CounterRepair> repaired) {
				SimulatedCommands commands = new SimulatedCommands(CounterMutant.this, client, request);
				return client.store(commands)
					.reserve(sequence, CounterMutant.this.request(request), repaired)
					.thenApply((range) -> {
						commands.granted(range);
						return range;
					});
			}

			@Override
			public CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
				return names.returnUnused(sequence, unused);
			}

			@Override
			public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
				return CounterMutant.this.raise(client, names, sequence, floor, timeout);
			}

			@Override
			public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers,
					Deadline deadline) {
				SimulatedCommands commands = new SimulatedCommands(CounterMutant.this, client, null);
				return CounterMutant.this.stored(client.store(commands), sequence, place, numbers, deadline)
					.thenApply((stored) -> {
						commands.found(place, numbers, stored);
						return stored;
					});
			}

			@Override
			public CompletionStage<Long> lowestStored(String sequence, Place place, ReservedRange numbers,
					Deadline deadline) {
				SimulatedCommands commands = new SimulatedCommands(CounterMutant.this, client, null);
				long sent = client.ledger().sent();
				return client.store(commands)
					.lowestStored(sequence, place, numbers, deadline)
					.thenApply(CounterMutant.this::lowest)
					.thenApply((lowest) -> {
						commands.foundAhead(place, numbers, lowest, sent);
						return lowest;
					});
			}

		};
	}

	static BsonValue grantIn(BsonDocument update) {
		BsonDocument created = update.getDocument("$setOnInsert", new BsonDocument());
		return created
			.getArray("Grants",
					update.getDocument("$push", new BsonDocument())
						.getDocument("Grants", new BsonDocument())
						.getArray("$each", new BsonArray()))
			.get(0);
	}

	/**
	 * Makes an answer look as if it was the own one of an update.
	 */
	@Nullable BsonDocument believed(@Nullable BsonDocument after, BsonDocument update) {
		if (after == null || !believes(update) || CounterDocument.isOwn(after, grantIn(update))) {
			return after;
		}
		BsonArray grants = after.getArray("Grants", new BsonArray()).clone();
		grants.add(0, grantIn(update));
		return without(after, "Grants").append("Grants", grants);
	}

	private static BsonDocument without(BsonDocument document, String field) {
		BsonDocument copy = document.clone();
		copy.remove(field);
		return copy;
	}

	private static Query with(Query query, BsonDocument filter) {
		return new Query(query.collection(), query.field(), filter, query.projection(), query.sort());
	}

	private static BsonDocument butForTheLast(BsonDocument filter) {
		BsonDocument copy = BsonDocument.parse(filter.toJson());
		BsonArray any = copy.getArray("$or", new BsonArray(List.of(copy)));
		BsonDocument last = any.get(any.size() - 1).asDocument();
		BsonDocument ids = last.getArray("$and", new BsonArray(List.of(last))).get(0).asDocument().getDocument("_id");
		if (ids.isString("$lt")) {
			ids.put("$lt", oneLess(ids.getString("$lt").getValue()));
		}
		else {
			ids.put("$lte", new BsonInt64(ids.getNumber("$lte").longValue() - 1));
		}
		return copy;
	}

	/**
	 * Leaves out all numbers of a range that have more digits than its first.
	 */
	private static BsonDocument firstOf(BsonDocument filter) {
		return filter.getArray("$or", new BsonArray(List.of(filter))).get(0).asDocument();
	}

	private static BsonString oneLess(String id) {
		return new BsonString(Pattern.compile("[0-9]+")
			.matcher(id)
			.replaceFirst((number) -> String.valueOf(Long.parseLong(number.group()) - 1)));
	}

}

package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.RangeRequest;
import io.github.hilo.RangeReturn;
import io.github.hilo.RangeStore;
import io.github.hilo.ReservedRange;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A slip in the protocol, made on purpose: a simulation that doesn't notice it proves
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
	 * A return lowers the counter wherever it stands.
	 */
	RETURN_WITHOUT_COMPARING_MAX {

		@Override
		BsonDocument updateFilter(BsonDocument filter) {
			return isReturn(filter) ? without(filter, "Max") : filter;
		}

	},

	/**
	 * A return lowers the counter whoever was granted its end.
	 */
	RETURN_WITHOUT_COMPARING_GRANT {

		@Override
		BsonDocument updateFilter(BsonDocument filter) {
			return without(filter, "Grant");
		}

	},

	/**
	 * A reservation leaves the grant as it is, and takes it for its own.
	 */
	RESERVATION_KEEPS_GRANT {

		@Override
		BsonDocument reservation(BsonDocument update) {
			return without(update, "$set");
		}

		@Override
		ReservedRange range(ReservedRange range, @Nullable ReservedRange last) {
			Object grant = (range.previousGrant() != null) ? range.previousGrant() : range.grant();
			return new ReservedRange(range.min(), range.max(), range.serverPrefix(), grant, grant);
		}

	},

	/**
	 * A reservation doesn't say what this process has issued.
	 */
	FLOOR_NOT_SENT {

		@Override
		RangeRequest request(RangeRequest request) {
			return new RangeRequest(request.size(), 0, true, 0, request.single(), request.timeout());
		}

	},

	/**
	 * The counter is read and then written.
	 */
	READ_THEN_WRITE {

		@Override
		CompletionStage<@Nullable BsonDocument> reserve(StoreCommands commands, BsonDocument filter,
				BsonDocument update, Duration timeout) {
			String id = filter.getString("_id").getValue();
			return commands.findById(id, timeout).thenCompose((found) -> {
				long max = (found != null) ? found.getNumber("Max").longValue() : 0;
				long size = update.getDocument("$inc").getNumber("Max").longValue();
				BsonValue grant = update.getDocument("$set").getObjectId("Grant");
				return commands
					.updateOne(new CounterDocument(id).any(), CounterDocument.moveTo(max + size, grant), false, timeout)
					.thenApply((matched) -> found);
			});
		}

	},

	/**
	 * A lift sets the counter wherever it stands.
	 */
	LIFT_LOWERS {

		@Override
		CompletionStage<Long> lift(StoreCommands commands, RangeStore store, String sequence, long floor,
				Duration timeout) {
			return commands
				.updateOne(new CounterDocument(store.document(sequence)).any(),
						CounterDocument.moveTo(floor, CounterDocument.freshGrant()), true, timeout)
				.thenApply((matched) -> floor);
		}

	},

	/**
	 * A lift leaves the grant as it is, so that a return can undo it.
	 */
	LIFT_KEEPS_GRANT {

		@Override
		CompletionStage<Long> lift(StoreCommands commands, RangeStore store, String sequence, long floor,
				Duration timeout) {
			CounterDocument document = new CounterDocument(store.document(sequence));
			return commands
				.updateOne(document.behind(floor),
						new BsonDocument("$set", new BsonDocument("Max", new BsonInt64(floor))), false, timeout)
				.thenApply((matched) -> floor);
		}

	},

	/**
	 * A range is used although its write may be rolled back.
	 */
	RANGE_USED_AFTER_WRITE_CONCERN_ERROR {

		@Override
		StoreCommands commands(SimulatedClient client) {
			client.ignoreWriteConcernErrors();
			return super.commands(client);
		}

	};

	/**
	 * Changes the server.
	 * @param server the server
	 */
	public void apply(SimulatedReplicaSet server) {
	}

	BsonDocument reservation(BsonDocument update) {
		return update;
	}

	BsonDocument updateFilter(BsonDocument filter) {
		return filter;
	}

	RangeRequest request(RangeRequest request) {
		return request;
	}

	ReservedRange range(ReservedRange range, @Nullable ReservedRange last) {
		return range;
	}

	CompletionStage<@Nullable BsonDocument> reserve(StoreCommands commands, BsonDocument filter, BsonDocument update,
			Duration timeout) {
		return commands.findOneAndUpdate(filter, reservation(update), timeout);
	}

	CompletionStage<Long> lift(StoreCommands commands, RangeStore store, String sequence, long floor,
			Duration timeout) {
		return store.lift(sequence, floor, timeout);
	}

	StoreCommands commands(SimulatedClient client) {
		return new StoreCommands() {

			@Override
			public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
					Duration timeout) {
				return reserve(client, filter, update, timeout);
			}

			@Override
			public CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert,
					Duration timeout) {
				return client.updateOne(updateFilter(filter), update, upsert, timeout);
			}

			@Override
			public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
				return client.findById(id, timeout);
			}

			@Override
			public CompletionStage<List<BsonDocument>> findIds(IdQuery query, Duration timeout) {
				return client.findIds(query, timeout);
			}

			@Override
			public CompletionStage<@Nullable Void> forEachId(IdQuery query, Consumer<BsonDocument> visitor,
					Duration stepTimeout) {
				return client.forEachId(query, visitor, stepTimeout);
			}

		};
	}

	RangeStore store(SimulatedClient client, RangeStore store) {
		return new RangeStore() {

			private @Nullable ReservedRange last;

			@Override
			public String database() {
				return store.database();
			}

			@Override
			public String document(String sequence) {
				return store.document(sequence);
			}

			@Override
			public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request) {
				return store.reserve(sequence, CounterMutant.this.request(request)).thenApply((range) -> {
					ReservedRange granted = range(range, this.last);
					client.granted(granted);
					this.last = granted;
					return granted;
				});
			}

			@Override
			public CompletionStage<Boolean> giveBack(String sequence, RangeReturn unused) {
				return store.giveBack(sequence, unused);
			}

			@Override
			public CompletionStage<Long> lift(String sequence, long floor, Duration timeout) {
				return CounterMutant.this.lift(client, store, sequence, floor, timeout);
			}

		};
	}

	private static boolean isReturn(BsonDocument filter) {
		return filter.containsKey("Grant");
	}

	private static BsonDocument without(BsonDocument document, String field) {
		BsonDocument copy = document.clone();
		copy.remove(field);
		return copy;
	}

}

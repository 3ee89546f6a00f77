package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import me.ahoo.cosid.mongo.MongoIdSegmentDistributorFactory;
import me.ahoo.cosid.mongo.MongoIdSegmentInitializer;
import me.ahoo.cosid.segment.IdSegment;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.IdSegmentDistributorDefinition;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * What is compared, each with the settings that it has where nobody changes them.
 */
enum Contender {

	/**
	 * A counter in memory: what the machine and the harness add to every other row.
	 */
	NOTHING("nothing", 4) {

		@Override
		IdSource open(DelayedServer server) {
			return new InMemory();
		}

	},

	/**
	 * HiLo.
	 */
	HILO("hilo", 4) {

		@Override
		IdSource open(DelayedServer server) {
			return new HiLo(server, Settings.DEFAULTS);
		}

	},

	/**
	 * HiLo with numbers in strict order: a reservation for every id, one at a time.
	 */
	HILO_CONSECUTIVE("hilo-consecutive", 64) {

		@Override
		IdSource open(DelayedServer server) {
			return new HiLo(server, Settings.of(Settings.DEFAULTS.timeout(), 2, true,
					new HiLoSettings.SequenceSettings(1, 1, 1, true, true)));
		}

	},

	/**
	 * HiLo that checks no stored ids.
	 */
	HILO_WITHOUT_CHECKS("hilo-without-checks", 4) {

		@Override
		IdSource open(DelayedServer server) {
			return new HiLo(server, Settings.of(Settings.DEFAULTS.timeout(), 2, true,
					new HiLoSettings.SequenceSettings(1, 32, 1_048_576, false, false)));
		}

	},

	/**
	 * HiLo, with ranges that may grow sixteenfold.
	 */
	HILO_GROWTH_16("hilo-max-growth-16", 4) {

		@Override
		IdSource open(DelayedServer server) {
			return new HiLo(server, Settings.of(Settings.DEFAULTS.timeout(), 16, true));
		}

	},

	/**
	 * HiLo without prefetching, which is the rule of RavenDB's client and server: the
	 * callers wait where a range is used up, and one used up within 30 seconds is
	 * followed by one twice its size.
	 */
	HILO_WITHOUT_PREFETCH("ravendb-rule", 4) {

		@Override
		IdSource open(DelayedServer server) {
			return new HiLo(server, Settings.of(Settings.DEFAULTS.timeout(), 2, false));
		}

	},

	/**
	 * CosId's chain of segments on its MongoDB store.
	 */
	COSID_CHAIN("cosid-chain", 4) {

		@Override
		IdSource open(DelayedServer server) {
			return new CosIdChain(server);
		}

	},

	/**
	 * One command for every id. It alone gains from more callers: the others all wait for
	 * the same range, or for their turn.
	 */
	INCREMENT("inc-per-id", 64) {

		@Override
		IdSource open(DelayedServer server) {
			return new Increment(server);
		}

	};

	private final String label;

	private final int callers;

	Contender(String label, int callers) {
		this.label = label;
		this.callers = callers;
	}

	String label() {
		return this.label;
	}

	int callers() {
		return this.callers;
	}

	/**
	 * Whether every id takes a command of its own.
	 */
	boolean isCommandEach() {
		return this == HILO_CONSECUTIVE || this == INCREMENT;
	}

	abstract IdSource open(DelayedServer server);

	private static CounterSettings storeSettings(HiLoSettings settings) {
		return new CounterSettings("@hilo", "Raven/HiLo/", false, Duration.ofSeconds(10), settings.formats());
	}

	private static final class InMemory implements IdSource {

		private final AtomicLong counter = new AtomicLong();

		@Override
		public long next() {
			return this.counter.incrementAndGet();
		}

		@Override
		public long reserved() {
			return this.counter.get();
		}

		@Override
		public void stop() {
		}

	}

	private static final class HiLo implements IdSource {

		private final MongoCollection<Document> counters;

		private final HiLoEngine engine;

		private final HiLoSequence sequence;

		HiLo(DelayedServer server, HiLoSettings settings) {
			MongoDatabase database = server.database();
			this.counters = server.nearby().getCollection("@hilo");
			this.engine = new HiLoEngine(Stores.of(database, storeSettings(settings)),
					new InPlaces((sequence) -> List.of(Place.ofType(sequence, Place.ID, IdForm.NUMBER))), settings,
					TimeSource.SYSTEM, (event) -> {
					});
			this.sequence = this.engine.generator().sequence("orders");
		}

		@Override
		public long next() {
			return this.sequence.nextId();
		}

		@Override
		public long reserved() {
			return numberOf(this.counters, "Raven/HiLo/orders", "Max");
		}

		@Override
		public void stop() {
			this.engine.close();
		}

	}

	private static final class CosIdChain implements IdSource {

		private static final int STEP = 100;

		private final MongoCollection<Document> counters;

		private final PrefetchWorkerExecutorService prefetching = new PrefetchWorkerExecutorService(
				PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD, Runtime.getRuntime().availableProcessors(),
				false);

		private final SegmentChainId chain;

		CosIdChain(DelayedServer server) {
			this.counters = server.nearby().getCollection("cosid");
			new MongoIdSegmentInitializer(server.database()).ensureCosIdCollection();
			IdSegmentDistributor distributor = new MongoIdSegmentDistributorFactory(server.database())
				.create(new IdSegmentDistributorDefinition("shop", "orders", 0, STEP));
			this.chain = new SegmentChainId(IdSegment.TIME_TO_LIVE_FOREVER, SegmentChainId.DEFAULT_SAFE_DISTANCE,
					distributor, this.prefetching);
		}

		@Override
		public long next() {
			return this.chain.generate();
		}

		@Override
		public long reserved() {
			return numberOf(this.counters, "shop.orders", "lastMaxId");
		}

		@Override
		public void stop() {
			this.prefetching.shutdown();
		}

	}

	private static final class Increment implements IdSource {

		private static final Bson COUNTER = Filters.eq("_id", "orders");

		private static final Bson ADD_ONE = Updates.inc("Max", 1L);

		// Without the projection mongo-java-server answers one value to several callers.
		private static final FindOneAndUpdateOptions OPTIONS = new FindOneAndUpdateOptions().upsert(true)
			.projection(new Document("Max", 1))
			.returnDocument(ReturnDocument.AFTER);

		private final MongoCollection<Document> counters;

		private final MongoCollection<Document> nearby;

		Increment(DelayedServer server) {
			this.counters = server.database().getCollection("counters");
			this.nearby = server.nearby().getCollection("counters");
		}

		@Override
		public long next() {
			return Objects.requireNonNull(this.counters.findOneAndUpdate(COUNTER, ADD_ONE, OPTIONS)).getLong("Max");
		}

		@Override
		public long reserved() {
			return numberOf(this.nearby, "orders", "Max");
		}

		@Override
		public void stop() {
		}

	}

	private static long numberOf(MongoCollection<Document> collection, String id, String field) {
		Document found = collection.find(Filters.eq("_id", id)).first();
		return (found != null) ? found.get(field, Number.class).longValue() : 0;
	}

}

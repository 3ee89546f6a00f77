package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * How many reservations per second one counter document stands.
 */
final class CounterCapacity {

	private static final int THREADS = 8;

	// Without a projection mongo-java-server answers some values twice.
	private static final FindOneAndUpdateOptions OPTIONS = new FindOneAndUpdateOptions().upsert(true)
		.projection(new Document("_id", 0).append("Max", 1).append("Grants", 1));

	private CounterCapacity() {
	}

	/**
	 * Counts one document up from several threads, by the same update as a reservation.
	 */
	static double perSecond(Duration warmUp, Duration time) throws InterruptedException {
		try (MemoryMongo mongo = new MemoryMongo(); MongoClient client = MongoClients.create(mongo.uri())) {
			MongoCollection<Document> counters = client.getDatabase("shop").getCollection("@hilo");
			LongAdder count = new LongAdder();
			AtomicBoolean running = new AtomicBoolean(true);
			CountDownLatch ended = new CountDownLatch(THREADS);
			for (int i = 0; i < THREADS; i++) {
				Thread thread = new Thread(() -> {
					try {
						while (running.get()) {
							countUp(counters);
							count.increment();
						}
					}
					finally {
						ended.countDown();
					}
				}, "capacity-" + i);
				thread.setDaemon(true);
				thread.start();
			}
			Thread.sleep(warmUp.toMillis());
			long before = count.sum();
			long startNanos = System.nanoTime();
			Thread.sleep(time.toMillis());
			double perSecond = (count.sum() - before) * 1e9 / (System.nanoTime() - startNanos);
			running.set(false);
			ended.await();
			return perSecond;
		}
	}

	private static void countUp(MongoCollection<Document> counters) {
		counters.findOneAndUpdate(new Document("_id", "Raven/HiLo/orders"),
				new Document("$inc", new Document("Max", 32L)).append("$push", new Document("Grants",
						new Document("$each", List.of(new ObjectId())).append("$position", 0).append("$slice", 2))),
				OPTIONS);
	}

}

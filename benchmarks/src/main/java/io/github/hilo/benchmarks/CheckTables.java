package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.StoreSettings;
import io.github.hilo.internal.store.TimeSource;
import org.bson.Document;

/**
 * What the first id of a process takes where many documents are stored and there is no
 * counter, and what the next range takes then.
 */
final class CheckTables implements BenchmarkMain.Harness {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int BATCH = 10_000;

	@Override
	public void run(Effort effort, Report report) {
		int documents = effort.choose(100_000, 1_000_000);
		List<List<String>> rows = new ArrayList<>();
		rows.add(row("numbers", 0, (number) -> number, report));
		rows.add(row("numbers", documents, (number) -> number, report));
		rows.add(row("texts", 0, (number) -> "orders/" + number + "-A", report));
		rows.add(row("texts", documents, (number) -> "orders/" + number + "-A", report));
		report.heading("The first id above what is stored");
		report.table(List.of("ids", "stored", "first id", "commands", "ms", "commands for the second range"), rows);
		report.say("On mongo-java-server, which has no index. One aggregate counts the texts.");
	}

	private static List<String> row(String form, int documents, LongFunction<Object> id, Report report) {
		AtomicInteger commands = new AtomicInteger();
		MongoServer server = new MongoServer(new MemoryBackend());
		try (MongoClient client = connect(server, commands)) {
			MongoDatabase database = client.getDatabase("shop");
			MongoCollection<Document> orders = database.getCollection("orders");
			for (long from = 1; from <= documents; from += BATCH) {
				orders.insertMany(LongStream.range(from, from + BATCH)
					.mapToObj((number) -> new Document("_id", id.apply(number)))
					.toList());
			}
			List<Place> places = List.of(new Place("orders", Place.ID, form.equals("texts"), true));
			StoreSettings settings = new StoreSettings("@hilo", "Raven/HiLo/", false, PATIENCE,
					Settings.DEFAULTS.formats(), (sequence) -> true, (sequence) -> places);
			try (HiLoEngine engine = new HiLoEngine(Stores.of(database, settings), Class::getSimpleName,
					Settings.of(PATIENCE, 2, false), TimeSource.SYSTEM, (event) -> {
					})) {
				HiLoIdGenerator generator = engine.generator();
				commands.set(0);
				long startNanos = System.nanoTime();
				long first = generator.nextId("orders");
				double millis = (System.nanoTime() - startNanos) / 1e6;
				int forTheFirst = commands.getAndSet(0);
				generator.nextIds("orders", 32);
				report.ratio("commandsForTheFirstId", "ids=" + form + ",stored=" + documents, "one command",
						forTheFirst);
				return List.of(form, Report.count(documents), Report.count(first), Report.count(forTheFirst),
						Report.number(millis), Report.count(commands.get()));
			}
		}
		finally {
			server.shutdownNow();
		}
	}

	private static MongoClient connect(MongoServer server, AtomicInteger commands) {
		return MongoClients.create(MongoClientSettings.builder()
			.applyConnectionString(new ConnectionString(server.bindAndGetConnectionString()))
			.addCommandListener(new CommandListener() {

				@Override
				public void commandStarted(CommandStartedEvent event) {
					commands.incrementAndGet();
				}

			})
			.build());
	}

}

package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import org.bson.Document;

/**
 * What one call sends and how long it takes, where the ids in one collection or in all
 * known ones are checked.
 */
final class CheckTables implements BenchmarkMain.Harness {

	private static final List<Call> CALLS = List.of(new Call("the first id, no counter", false, 0, 1, 0, false),
			new Call("the first id", true, 0, 1, 0, false), new Call("the next range", true, 0, 1, 32, false),
			// A sequence reserves ahead once a range is used up.
			new Call("the next range, reserved ahead", true, 0, 1, 96, true),
			new Call("the next range, by name, 12 collections", true, 0, 12, 32, false),
			new Call("the first id, 20,000 imported above the counter", true, 20_000, 1, 0, false));

	private static final Duration ONE_WAY = Duration.ofMillis(1);

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/**
	 * Until what was sent ahead is answered.
	 */
	private static final Duration PAUSE = Duration.ofMillis(50);

	private static final int CONNECTIONS = 18;

	private static final int WARM_UP = 5;

	@Override
	public void run(Effort effort, Report report) throws Exception {
		int runs = effort.choose(7, 25);
		List<List<String>> rows = new ArrayList<>();
		for (Call call : CALLS) {
			List<String> row = new ArrayList<>(List.of(call.what()));
			for (boolean text : new boolean[] { false, true }) {
				Outcome outcome = measure(call, text, runs);
				row.add(Report.count(outcome.commands()));
				row.add(Report.number(outcome.millis()));
				report.ratio("commands", "call=" + call.what() + ",text=" + text, "one command", outcome.commands());
			}
			rows.add(row);
		}
		report.heading("What a call sends, and how long it takes");
		report.table(List.of("call", "commands, numbers", "ms", "commands, texts", "ms"), rows);
		report.say("Medians of " + runs + " runs, " + ONE_WAY.toMillis() + " ms each way, on mongo-java-server, which"
				+ " has no index. Of a range that is reserved ahead all commands count.");
	}

	private static Outcome measure(Call call, boolean text, int runs) throws Exception {
		AtomicInteger commands = new AtomicInteger();
		try (DelayedServer server = new DelayedServer(ONE_WAY, CONNECTIONS, List.of(new CommandListener() {

			@Override
			public void commandStarted(CommandStartedEvent event) {
				commands.incrementAndGet();
			}

		}))) {
			if (call.imported() > 0) {
				server.nearby()
					.getCollection("orders")
					.insertMany(IntStream.rangeClosed(1, call.imported())
						.mapToObj((number) -> new Document("_id", text ? "orders/" + number + "-A" : (Object) number))
						.toList());
			}
			double[] millis = new double[runs];
			for (int i = -WARM_UP; i < runs; i++) {
				MongoCollection<Document> counters = server.nearby().getCollection("@hilo");
				counters.drop();
				if (call.counter()) {
					counters.insertOne(new Document("_id", "Raven/HiLo/orders").append("Max", 0L));
				}
				double measured = millis(call, text, server, commands);
				if (i >= 0) {
					millis[i] = measured;
				}
			}
			Arrays.sort(millis);
			return new Outcome(commands.get(), millis[runs / 2]);
		}
	}

	private static double millis(Call call, boolean text, DelayedServer server, AtomicInteger commands)
			throws InterruptedException {
		List<Place> places = IntStream.range(0, call.collections())
			.mapToObj((i) -> Place.ofType((i == 0) ? "orders" : "orders" + i, Place.ID,
					text ? IdForm.TEXT : IdForm.NUMBER))
			.toList();
		CounterSettings settings = new CounterSettings("@hilo", "Raven/HiLo/", false, PATIENCE,
				Settings.DEFAULTS.formats());
		HiLoEngine engine = new HiLoEngine(Stores.of(server.database(), settings), new InPlaces((sequence) -> places),
				Settings.of(PATIENCE, 2, call.ahead()), TimeSource.SYSTEM, (event) -> {
				});
		try {
			HiLoSequence sequence = engine.sequence(engine.currentStore(engine.deadline()), "orders")
				.placed((places.size() == 1) ? places.get(0) : null);
			commands.set(0);
			for (int i = 1; i <= call.before(); i++) {
				next(sequence, text);
				if (i == call.before() / 2) {
					commands.set(0);
				}
			}
			Thread.sleep(PAUSE.toMillis());
			long startNanos = System.nanoTime();
			next(sequence, text);
			double millis = (System.nanoTime() - startNanos) / 1e6;
			Thread.sleep(PAUSE.toMillis());
			return millis;
		}
		finally {
			int sent = commands.get();
			engine.close();
			commands.set(sent);
		}
	}

	private static void next(HiLoSequence sequence, boolean text) {
		if (text) {
			sequence.nextDocumentId();
		}
		else {
			sequence.nextId();
		}
	}

	/**
	 * What is measured.
	 *
	 * @param counter whether there is a counter
	 * @param imported how many documents have an id above the counter
	 * @param collections how many known types the sequence has; of several, the call
	 * names none
	 * @param before how many ids were issued before
	 * @param ahead whether ranges are reserved ahead
	 */
	private record Call(String what, boolean counter, int imported, int collections, int before, boolean ahead) {
	}

	private record Outcome(int commands, double millis) {
	}

}

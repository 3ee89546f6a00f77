package io.github.hilo.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.mongodb.MongoCommandException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.Docs;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The commands of {@code docs/protocol.md} beside those that the starter sends, and the
 * clients of that page and of {@code docs/clients} as programs of their own. Those whose
 * language or driver is not there are skipped.
 */
class ProtocolTests {

	private static final int SIZE = 32;

	private static final int RANGES = 300;

	private static final String NODE = """
			import { MongoClient } from "mongodb";
			const client = await MongoClient.connect(process.argv[2]);
			for (let i = 0; i < %d; i++) {
			  const range = await reserve(client.db("shop"), "orders", %d);
			  console.log(range.first + " " + range.last);
			}
			%s
			await client.close();
			""";

	private static final String PYTHON = """
			import sys
			from pymongo import MongoClient
			database = MongoClient(sys.argv[1])["shop"]
			for i in range(%d):
			    numbers = reserve(database, "orders", %d)
			    print(numbers[0], numbers[-1])
			""";

	@AutoClose
	private final TestDatabase database = new TestDatabase();

	@Test
	void nothingIsIssuedTwiceBesideReservationsRaisesAndReturns() {
		Set<Long> issued = ConcurrentHashMap.newKeySet();
		AtomicLong highestOfOthers = new AtomicLong();
		create();
		try (HiLoEngine first = this.database.newEngine(TestDatabase.settings(8, 64));
				HiLoEngine second = this.database.newEngine(TestDatabase.settings(8, 64))) {
			Callers<Integer> others = Callers.start(3, () -> {
				for (int i = 0; i < 60; i++) {
					long last = reserve();
					LongStream.rangeClosed(last - SIZE + 1, last)
						.forEach(
								(number) -> assertThat(issued.add(number)).as("%d of another client", number).isTrue());
					highestOfOthers.accumulateAndGet(last, Math::max);
				}
				return 0;
			});
			Callers<Integer> ours = Callers.start(2, () -> use(first.generator(), issued));
			Callers<Integer> alsoOurs = Callers.start(2, () -> use(second.generator(), issued));
			others.answers();
			ours.answers();
			alsoOurs.answers();
		}
		assertThat(this.database.max("orders")).isGreaterThanOrEqualTo(highestOfOthers.get());
		assertThat(issued).hasSize(3 * 60 * SIZE + 4 * 600).allMatch((number) -> number > 41);
	}

	private static int use(HiLoIdGenerator generator, Set<Long> issued) {
		for (int i = 1; i <= 600; i++) {
			use(generator, issued, i);
		}
		return 0;
	}

	private static void use(HiLoIdGenerator generator, Set<Long> issued, int i) {
		long number = generator.nextId("orders");
		assertThat(issued.add(number)).as("%d of ours", number).isTrue();
		if (i % 20 == 0) {
			generator.release();
		}
		if (i % 70 == 0) {
			generator.ensureAtLeast("orders", number + 10);
		}
	}

	/**
	 * The counter stands where it stood for ours, but for another client.
	 */
	@Test
	void rangeOfAnotherClientOnACounterThatWasSetBackIsNotReturned() {
		try (HiLoEngine engine = this.database.newEngine()) {
			engine.generator().nextId("orders");
			this.database.counters()
				.updateOne(BsonDocument.parse("{_id: 'Raven/HiLo/orders'}"),
						BsonDocument.parse("{$set: {Max: NumberLong('0')}}"));
			assertThat(reserve()).isEqualTo(SIZE);
			engine.generator().release();
			assertThat(this.database.max("orders")).isEqualTo(SIZE);
		}
	}

	@Test
	void counterIsCreatedOnceAboveTheNumbersInUse() {
		assertThat(send(ProtocolPage.reserve(new ObjectId()))).isNull();
		create();
		create();
		assertThat(reserve()).isEqualTo(41 + SIZE);
		try (HiLoEngine engine = this.database.newEngine()) {
			assertThat(engine.generator().nextDocumentId("orders")).isEqualTo("orders/74-A");
		}
		create();
		assertThat(this.database.max("orders")).as("what the starter has issued").isEqualTo(74);
	}

	@ParameterizedTest
	@ValueSource(strings = { "96", "NumberLong('96')", "96, Other: 1", "96, Grants: []" })
	void counterOfRavenDbIsCounted(String max) {
		this.database.counters().insertOne(BsonDocument.parse("{_id: 'Raven/HiLo/orders', Max: " + max + "}"));
		assertThat(reserve()).isEqualTo(128);
	}

	@ParameterizedTest
	@ValueSource(strings = { "'x'", "-1", "3.5", "NumberDecimal('96')", "[5]", "null", "NumberLong('9007199254740980')",
			"96, Grants: 'x'" })
	void counterThatCannotBeCountedStaysAsItIs(String max) {
		BsonDocument counter = BsonDocument.parse("{_id: 'Raven/HiLo/orders', Max: " + max + "}");
		this.database.counters().insertOne(counter);
		Throwable failure = catchThrowable(() -> assertThat(send(ProtocolPage.reserve(new ObjectId()))).isNull());
		assertThat(failure).satisfiesAnyOf((none) -> assertThat(none).isNull(),
				(refused) -> assertThat(refused).isInstanceOf(MongoCommandException.class));
		create();
		assertThat(this.database.counter("orders")).isEqualTo(counter);
	}

	@Test
	@Exhaustive
	void nodeClientIssuesNothingTwiceBesideOurs(@TempDir Path directory) throws Exception {
		assume(runs(directory, "node", "--version")
				&& runs(directory, "npm", "install", "--no-audit", "--no-fund", "mongodb@6"),
				"There is no node, or npm cannot install mongodb");
		String client = Docs.page("clients/node.mjs");
		String use = ProtocolPage.code("Node").get(0);
		requireDisjoint(directory, "client.mjs", client + NODE.formatted(RANGES, SIZE, use), "node");
		assertThat(MongoTestServer.client().getDatabase(this.database.name()).getCollection("orders").find().first())
			.extractingByKey("_id")
			.asString()
			.matches("orders/[0-9]+-C");
	}

	@Test
	@Exhaustive
	void pythonClientIssuesNothingTwiceBesideOurs(@TempDir Path directory) throws Exception {
		String python = Stream.of("python3", "/usr/bin/python3")
			.filter((command) -> runs(directory, command, "-c", "import pymongo"))
			.findFirst()
			.orElse("");
		assume(!python.isEmpty(), "There is no python3 with pymongo");
		requireDisjoint(directory, "client.py", ProtocolPage.code("Python").get(0) + PYTHON.formatted(RANGES, SIZE),
				python);
	}

	private void requireDisjoint(Path directory, String file, String program, String command) throws Exception {
		Path script = Files.writeString(directory.resolve(file),
				program.replace("\"shop\"", "\"" + this.database.name() + "\""));
		Path output = directory.resolve("output");
		Set<Long> issued = new HashSet<>();
		create();
		Process process = new ProcessBuilder(command, script.toString(), MongoTestServer.uri())
			.directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try (HiLoEngine engine = this.database.newEngine(TestDatabase.settings(8, 64))) {
			for (int i = 1; process.isAlive(); i++) {
				use(engine.generator(), issued, i);
			}
		}
		finally {
			process.destroy();
		}
		assertThat(process.waitFor()).as(Files.readString(output)).isZero();
		List<long[]> ranges = Files.readAllLines(output)
			.stream()
			.map((line) -> Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray())
			.toList();
		assertThat(ranges).hasSize(RANGES).allMatch((range) -> range[1] - range[0] + 1 == SIZE);
		assertThat(ranges.stream().flatMapToLong((range) -> LongStream.rangeClosed(range[0], range[1])))
			.allMatch(issued::add);
		assertThat(this.database.max("orders")).isGreaterThanOrEqualTo(ranges.get(RANGES - 1)[1]);
	}

	private static void assume(boolean there, String reason) {
		if (!there) {
			System.out.println(reason + "; its client of docs/protocol.md is skipped.");
		}
		assumeTrue(there, reason);
	}

	private static boolean runs(Path directory, String... command) {
		try {
			Process process = new ProcessBuilder(command).directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			boolean ended = process.waitFor(2, TimeUnit.MINUTES);
			process.destroy();
			return ended && process.exitValue() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	/**
	 * Reserves a range as another client does.
	 * @return its highest number
	 */
	private long reserve() {
		ObjectId grant = new ObjectId();
		BsonDocument after = send(ProtocolPage.reserve(grant));
		assertThat(after).isNotNull();
		assertThat(after.getArray("Grants").get(0).asObjectId().getValue()).isEqualTo(grant);
		return after.getNumber("Max").longValue();
	}

	private void create() {
		assertThat(send(ProtocolPage.create(new ObjectId()))).isNotNull();
	}

	private @Nullable BsonDocument send(BsonDocument command) {
		BsonValue value = this.database.client()
			.getDatabase(this.database.name())
			.runCommand(command, BsonDocument.class)
			.get("value");
		return (value != null && value.isDocument()) ? value.asDocument() : null;
	}

}

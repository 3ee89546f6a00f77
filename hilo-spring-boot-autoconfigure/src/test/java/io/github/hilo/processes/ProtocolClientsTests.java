package io.github.hilo.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The clients of {@code docs/protocol.md} as programs of their own, beside a generator
 * that reserves, raises and returns. Those whose language or driver is not there are
 * skipped.
 */
@Exhaustive
class ProtocolClientsTests {

	private static final int RANGES = 300;

	private static final int SIZE = 32;

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

	private final Path directory;

	ProtocolClientsTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@Test
	void nodeClientIssuesNothingTwiceBesideOurs() throws IOException, InterruptedException {
		assume(runs("node", "--version") && runs("npm", "install", "--no-audit", "--no-fund", "mongodb@6"),
				"There is no node, or npm cannot install mongodb");
		List<String> code = ProtocolPage.code("Node");
		requireDisjoint("client.mjs", code.get(0) + NODE.formatted(RANGES, SIZE, code.get(1)), "node");
		assertThat(MongoTestServer.client().getDatabase(this.database.name()).getCollection("orders").find().first())
			.extractingByKey("_id")
			.asString()
			.matches("orders/[0-9]+-C");
	}

	@Test
	void pythonClientIssuesNothingTwiceBesideOurs() throws IOException, InterruptedException {
		String python = Stream.of("python3", "/usr/bin/python3")
			.filter((command) -> runs(command, "-c", "import pymongo"))
			.findFirst()
			.orElse("");
		assume(!python.isEmpty(), "There is no python3 with pymongo");
		requireDisjoint("client.py", ProtocolPage.code("Python").get(0) + PYTHON.formatted(RANGES, SIZE), python);
	}

	private void requireDisjoint(String file, String program, String command) throws IOException, InterruptedException {
		Path script = Files.writeString(this.directory.resolve(file),
				program.replace("\"shop\"", "\"" + this.database.name() + "\""));
		Path output = this.directory.resolve("output");
		Set<Long> issued = new HashSet<>();
		MongoTestServer.client()
			.getDatabase(this.database.name())
			.runCommand(ProtocolPage.create(new ObjectId()), BsonDocument.class);
		Process process = new ProcessBuilder(command, script.toString(), MongoTestServer.uri())
			.directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try (HiLoEngine engine = this.database.newEngine(TestDatabase.settings(8, 64))) {
			while (process.isAlive()) {
				long number = engine.generator().nextId("orders");
				assertThat(issued.add(number)).as("%d of ours", number).isTrue();
				if (number % 7 == 0) {
					engine.generator().release();
				}
				if (number % 100 == 0) {
					engine.generator().ensureAtLeast("orders", number + 10);
				}
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

	private boolean runs(String... command) {
		try {
			Process process = new ProcessBuilder(command).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			if (process.waitFor(2, TimeUnit.MINUTES)) {
				return process.exitValue() == 0;
			}
			process.destroy();
			return false;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}

package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.AnyValue;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.hilo.internal.counter.MongoRangeStoreTests.UNHEARD;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever stands in the documents and whatever a sequence is called: there is an id or
 * one of our exceptions, and nothing is half written. Every value follows from the seed
 * in the test's name.
 */
@ExtendWith(OutputCaptureExtension.class)
class HostileInputTests {

	private static final long SIZE = 32;

	private static final String ID = "Raven/HiLo/orders";

	private static final RangeRequest REQUEST = new RangeRequest(SIZE, SIZE, 7, false, Places.NONE,
			new Deadline(Duration.ofMinutes(9), TimeSource.SYSTEM));

	@AutoClose
	private final TestDatabase database = new TestDatabase();

	private static BsonDocument anyCounter(AnyValue any) {
		return new BsonDocument("_id", new BsonString(ID)).append("Max", any.bson())
			.append("Grants", any.bson())
			.append("@metadata", new BsonDocument("kept", any.bson()));
	}

	@Test
	void anyMaxGivesARangeOrLeavesTheCounterAsItWas() {
		LongStream.rangeClosed(1, 2000).forEach(HostileInputTests::requireRangeOrNothing);
	}

	private static void requireRangeOrNothing(long seed) {
		CounterModel documents = new CounterModel();
		BsonDocument before = anyCounter(new AnyValue(seed));
		documents.put(before.clone());
		Throwable failure = null;
		ReservedRange range = null;
		try {
			range = TestStores.over("shop", new ModelCommands(documents))
				.reserve("orders", REQUEST, UNHEARD)
				.toCompletableFuture()
				.join();
		}
		catch (CompletionException ex) {
			failure = ex.getCause();
		}
		BsonDocument after = Objects.requireNonNull(documents.find(new BsonDocument("_id", new BsonString(ID))));
		if (range == null) {
			assertThat(failure).as("seed %d: %s", seed, before)
				.isInstanceOfAny(HiLoDocumentException.class, HiLoExhaustedException.class);
			assertThat(after).as("seed %d", seed).isEqualTo(before);
			assertThat(String.valueOf(failure).chars()).noneMatch((c) -> Character.isISOControl(c) || c == '\u2028');
			return;
		}
		assertThat(before.isNumber("Max")).as("seed %d: %s", seed, before).isTrue();
		assertThat(range.min()).as("seed %d: %s", seed, before)
			.isGreaterThan(Math.max(REQUEST.floor(), before.getNumber("Max").longValue()));
		assertThat(range.max()).isEqualTo(range.min() + SIZE - 1);
		assertThat(after.getNumber("Max").longValue()).as("seed %d: %s", seed, before).isEqualTo(range.max());
		assertThat(after.get("@metadata")).isEqualTo(before.get("@metadata"));
		assertThat(after.keySet()).isEqualTo(before.keySet());
	}

	@Test
	@Thorough
	void anyNameHasACounterOfItsOwn() {
		Set<String> names = LongStream.rangeClosed(1, 150)
			.mapToObj((seed) -> new AnyValue(seed).text())
			.filter((name) -> !name.isBlank())
			.collect(Collectors.toSet());
		names.addAll(List.of("\u0000", "$where", "a.b", "$", "line\nforged", "a\u2028b", "\ud83d\ude00"));
		try (HiLoEngine engine = this.database.newEngine(TestDatabase.settings(1, 1))) {
			HiLoIdGenerator generator = engine.generator();
			for (String name : names) {
				assertThat(generator.nextDocumentId(name)).isEqualTo(name + "/1-A");
				assertThat(generator.nextId(name)).isEqualTo(2);
			}
		}
		assertThat(this.database.counters().countDocuments()).isEqualTo(names.size());
	}

	@Test
	void nameForgesNoLineOfTheLog(CapturedOutput output) {
		String name = "orders\n2026-01-01 ERROR forged\r\u2028\u001b[31m";
		this.database.setMax(name, new BsonInt64(5));
		try (HiLoEngine engine = this.database
			.newEngine(new EngineSettings(TestDatabase.SETTINGS).withSequences(100, SIZE, SIZE).settings())) {
			HiLoIdGenerator generator = engine.generator();
			assertThat(generator.nextId(name)).isEqualTo(100);
		}
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains("was raised"))
			.hasSize(1)
			.allMatch((line) -> line.contains("\\u000a2026-01-01 ERROR forged\\u000d\\u2028\\u001b[31m"));
		assertThat(output.getOut().lines()).noneMatch((line) -> line.startsWith("2026-01-01 ERROR forged"));
	}

}

package io.github.hilo.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.TestDatabase;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What RavenDB's documentation and its own tests promise of HiLo, on MongoDB.
 */
class RavenDbBehaviourTests {

	private final TestDatabase database = new TestDatabase();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void clientThatUsesOneIdAndClosesLeavesTheCounterAtOne() {
		try (HiLoEngine first = this.database.newEngine()) {
			assertThat(first.generator().nextDocumentId("orders")).isEqualTo("orders/1-A");
			assertThat(this.database.max("orders")).isEqualTo(32);
		}
		assertThat(this.database.max("orders")).isEqualTo(1);
		try (HiLoEngine second = this.database.newEngine()) {
			assertThat(second.generator().nextId("orders")).isEqualTo(2);
			assertThat(this.database.max("orders")).isEqualTo(33);
		}
	}

	@Test
	void databasesOfOneClientCountApart() {
		try (TestDatabase other = new TestDatabase(); HiLoEngine engine = this.database.newEngine()) {
			HiLoIdGenerator generator = engine.generator();
			this.database.setMax("users", new BsonInt64(64));
			other.setMax("products", new BsonInt64(128));
			assertThat(generator.nextDocumentId("users")).isEqualTo("users/65-A");
			assertThat(generator.forDatabase(other.name()).nextDocumentId("products")).isEqualTo("products/129-A");
		}
	}

	@Test
	void tasksThatMixNamesClassesAndInstancesShareOneCounter() {
		record Order() {
		}
		try (HiLoEngine engine = this.database.newEngine()) {
			HiLoIdGenerator generator = engine.generator();
			AtomicInteger task = new AtomicInteger();
			List<Callable<Long>> ways = List.of(() -> generator.nextId("Order"), () -> generator.nextId(Order.class),
					() -> generator.nextIdFor(new Order()));
			Callers<List<Long>> tasks = Callers.start(10, () -> {
				Callable<Long> way = ways.get(task.getAndIncrement() % ways.size());
				List<Long> ids = new ArrayList<>();
				for (int i = 0; i < 100; i++) {
					ids.add(way.call());
				}
				return ids;
			});
			assertThat(tasks.answers().stream().flatMap(List::stream).sorted())
				.containsExactlyElementsOf(LongStream.rangeClosed(1, 1000).boxed().toList());
		}
	}

	@Test
	void capacityDoublesWhenTheRangeIsUsedUp() {
		try (HiLoEngine engine = this.database.newEngine()) {
			HiLoIdGenerator generator = engine.generator();
			this.database.setMax("orders", new BsonInt64(64));
			numbers(generator, 32);
			assertThat(this.database.max("orders")).isEqualTo(96);
			numbers(generator, 1);
			assertThat(this.database.max("orders")).isEqualTo(160);
		}
	}

	@Test
	void parallelCallersOnAColdClientSendOneRequest() {
		try (HiLoEngine engine = this.database.newEngine()) {
			HiLoIdGenerator generator = engine.generator();
			Callers<Long> callers = Callers.start(32, () -> generator.nextId("orders"));
			assertThat(callers.answers()).doesNotHaveDuplicates().allMatch((number) -> number < 33);
			assertThat(this.database.commands().named("update")).as("one reservation has created the counter")
				.hasSize(1);
			assertThat(this.database.commands().named("findAndModify")).hasSize(2);
		}
	}

	@Test
	void changeOfTheSeparatorLosesNoNumber() {
		try (HiLoEngine slash = this.database.newEngine()) {
			assertThat(slash.generator().nextDocumentId("orders")).isEqualTo("orders/1-A");
		}
		HiLoSettings colon = TestDatabase.SETTINGS.withIdForm("A", ":");
		try (HiLoEngine engine = this.database.newEngine(colon)) {
			HiLoIdGenerator generator = engine.generator();
			assertThat(generator.nextDocumentId("orders")).isEqualTo("orders:2-A");
		}
	}

	@Test
	void documentsOfRavenDbGoOnWithTheirOtherFieldsKept() {
		this.database.counters()
			.insertOne(BsonDocument
				.parse("{_id: 'Raven/HiLo/orders', Max: NumberLong(96), '@metadata': {'@collection': '@hilo'}}"));
		try (HiLoEngine engine = this.database.newEngine()) {
			HiLoIdGenerator generator = engine.generator();
			assertThat(generator.nextDocumentId("orders")).isEqualTo("orders/97-A");
		}
		assertThat(this.database.counter("orders").getDocument("@metadata").getString("@collection").getValue())
			.isEqualTo("@hilo");
		assertThat(this.database.max("orders")).isEqualTo(97);
	}

	@Test
	void int32CounterCountsOnBeyondItsType() {
		this.database.setMax("orders", new BsonInt32(Integer.MAX_VALUE));
		try (HiLoEngine engine = this.database.newEngine()) {
			HiLoIdGenerator generator = engine.generator();
			assertThat(generator.nextId("orders")).isEqualTo(Integer.MAX_VALUE + 1L);
		}
	}

	@ParameterizedTest
	@CsvSource({ "false, 16", "true, 17" })
	void oneMillionIdsFromAColdStartTakeOneRequestPerDoubling(boolean prefetch, int requests) {
		try (HiLoEngine engine = this.database.newEngine(TestDatabase.settings(prefetch))) {
			HiLoIdGenerator generator = engine.generator();
			HiLoSequence orders = generator.sequence("orders");
			for (long expected = 1; expected <= 1_000_000; expected++) {
				assertThat(orders.nextId() == expected).isTrue();
			}
			Awaitility.await()
				.untilAsserted(() -> assertThat(this.database.commands().named("findAndModify")).hasSize(requests));
			assertThat(this.database.commands().names()).filteredOn("find"::equals)
				.as("one that finds no counter, two for the highest ids, one for the first texts, and one for each"
						+ " reservation")
				.hasSize(requests + 4);
		}
	}

	private static List<Long> numbers(HiLoIdGenerator generator, int count) {
		return LongStream.range(0, count).mapToObj((i) -> generator.nextId("orders")).toList();
	}

}

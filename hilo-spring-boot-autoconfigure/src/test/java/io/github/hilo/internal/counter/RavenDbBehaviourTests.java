package io.github.hilo.internal.counter;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.TestDatabase;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
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
				.untilAsserted(() -> assertThat(this.database.commands().ofKind("reserve")).hasSize(requests));
		}
	}

}

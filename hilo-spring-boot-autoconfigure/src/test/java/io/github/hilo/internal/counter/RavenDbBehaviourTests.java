package io.github.hilo.internal.counter;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.TestDatabase;
import org.awaitility.Awaitility;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What RavenDB's documentation and its own tests promise of HiLo, on MongoDB.
 */
class RavenDbBehaviourTests {

	@AutoClose
	private final TestDatabase database = new TestDatabase();

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

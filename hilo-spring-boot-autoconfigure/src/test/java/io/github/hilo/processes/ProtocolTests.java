package io.github.hilo.processes;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import com.mongodb.MongoCommandException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.TestDatabase;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What {@code docs/protocol.md} tells other clients to send, beside what the starter
 * sends.
 */
class ProtocolTests {

	private static final int SIZE = 32;

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
			long number = generator.nextId("orders");
			assertThat(issued.add(number)).as("%d of ours", number).isTrue();
			if (i % 20 == 0) {
				generator.release();
			}
			if (i % 70 == 0) {
				generator.ensureAtLeast("orders", number + 10);
			}
		}
		return 0;
	}

	@Test
	void unusedNumbersBelowARangeOfAnotherClientAreNotReturned() {
		try (HiLoEngine engine = this.database.newEngine()) {
			assertThat(engine.generator().nextId("orders")).isEqualTo(1);
			assertThat(reserve()).isEqualTo(64);
			engine.generator().release();
			assertThat(this.database.max("orders")).isEqualTo(64);
			assertThat(engine.generator().nextId("orders")).isEqualTo(65);
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

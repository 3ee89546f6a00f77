package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ServerPrefix}.
 */
class ServerPrefixTests {

	private static final BsonDocument ID = new BsonDocument("_id", new BsonString(ServerPrefix.DOCUMENT));

	private final TestDatabase database = new TestDatabase();

	private final ManualTime time = new ManualTime();

	private final HiLoEngine engine = new EngineSettings(TestDatabase.SETTINGS).engine(Stores.blocking(
			() -> this.database.client().getDatabase(this.database.name()), true, this.database.client()::getDatabase,
			TestDatabase.storeSettings(true, Duration.ofSeconds(10)), this.time), this.time);

	private final HiLoIdGenerator generator = this.engine.generator();

	@AfterEach
	void dropDatabase() {
		this.engine.close();
		this.database.close();
	}

	@Test
	void missingDocumentAndEmptyPrefixAreNoPrefix() {
		assertThat(this.generator.nextDocumentId("orders")).isEqualTo("orders/1-A");
		setPrefix("{ServerPrefix: ''}");
		this.time.advance(Duration.ofSeconds(31));
		assertThat(this.generator.nextDocumentId("invoices")).isEqualTo("invoices/1-A");
	}

	@Test
	void prefixIsReadAgainWithAReservationOnceItIsOlderThanThirtySeconds() {
		setPrefix("{ServerPrefix: 'North/'}");
		this.generator.nextDocumentId("orders");
		setPrefix("{ServerPrefix: 'South/'}");
		this.time.advance(Duration.ofSeconds(30));
		assertThat(this.generator.nextDocumentId("invoices")).isEqualTo("invoices/North/1-A");
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.generator.nextDocumentId("customers")).isEqualTo("customers/South/1-A");
		assertThat(this.generator.nextDocumentId("orders")).isEqualTo("orders/North/2-A");
		assertThat(this.database.commands().ofKind("find")).filteredOn((find) -> find.getDocument("filter").equals(ID))
			.hasSize(2);
	}

	@ParameterizedTest
	@MethodSource
	void malformedPrefixFailsLoudlyAndReservesNothing(String fields, String shown) {
		setPrefix(fields);
		assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> this.generator.nextDocumentId("orders"))
			.withMessageContainingAll("'Raven/ServerPrefixForHilo'", "'@hilo'", "'" + this.database.name() + "'",
					shown);
		assertThat(this.database.counters().countDocuments()).isEqualTo(1);
	}

	static Stream<Object[]> malformedPrefixFailsLoudlyAndReservesNothing() {
		return Stream.of(new Object[] { "{}", "no field ServerPrefix" },
				new Object[] { "{ServerPrefix: 5}", "5 (int32)" }, new Object[] { "{ServerPrefix: null}", "null" },
				new Object[] { "{ServerPrefix: ['a']}", "(array)" },
				new Object[] { "{ServerPrefix: 'Server1'}", "ends in a digit" },
				new Object[] { "{ServerPrefix: 'Server\u0661'}", "ends in a digit" });
	}

	private void setPrefix(String fields) {
		this.database.counters().deleteOne(ID);
		BsonDocument document = ID.clone();
		document.putAll(BsonDocument.parse(fields));
		this.database.counters().insertOne(document);
	}

}

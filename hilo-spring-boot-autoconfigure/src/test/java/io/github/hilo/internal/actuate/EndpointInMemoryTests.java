package io.github.hilo.internal.actuate;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.FixedStores;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.Askers;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

/**
 * Tests for {@link HiLoEndpoint} on counters in memory, also while a database does not
 * answer. {@link HiLoEndpointTests} has the tests over HTTP.
 */
class EndpointInMemoryTests {

	private final Map<String, FakeRangeStore> databases = Map.of("shop", new FakeRangeStore("shop"), "audit",
			new FakeRangeStore("audit"));

	private final HiLoEngine engine = engine(EngineSettings.PATIENT);

	private final HiLoEndpoint endpoint = new HiLoEndpoint(this.engine,
			EngineSettings.DEFAULTS.settings().formats().apply(""), "all");

	EndpointInMemoryTests() {
		this.engine.generator().nextId("orders");
		this.engine.generator().forDatabase("audit").nextId("entries");
	}

	@Test
	void readingTakesNoNumberAndAsksNoDatabase() {
		HiLoEndpoint.HiLoDescriptor before = this.endpoint.sequences();
		assertThat(this.endpoint.sequence("orders")).isNotNull();
		assertThat(this.endpoint.sequence("unknown")).isNull();
		assertThat(this.endpoint.sequences()).isEqualTo(before);
		assertThat(database("shop").requests()).hasSize(1);
		assertThat(database("shop").asked()).hasSize(1);
		assertThat(this.engine.generator().nextId("orders")).isEqualTo(2);
	}

	@Test
	void sequenceIsFoundByItsNameInEveryDatabaseThatHasIt() {
		this.engine.generator().forDatabase("audit").nextId("eu/Orders");
		this.engine.generator().nextId("eu/Orders");
		assertThat(this.endpoint.sequence("eu", "Orders")).extracting(HiLoEndpoint.HiLoDescriptor::databases)
			.satisfies((databases) -> assertThat(databases).containsOnlyKeys("audit", "shop")
				.allSatisfy((name, sequences) -> assertThat(sequences).containsOnlyKeys("eu/Orders")));
	}

	@Test
	void releaseIsNarrowedToADatabaseAndToASequence() {
		this.engine.generator().nextId("invoices");
		assertThat(this.endpoint.releaseSequence(new String[] { "orders" }, "audit")).isNull();
		HiLoEndpoint.HiLoDescriptor left = Objects.requireNonNull(this.endpoint.release("audit"));
		assertThat(left.databases()).containsOnlyKeys("audit");
		assertThat(database("audit").max()).isEqualTo(1);
		assertThat(orders().range()).isNotNull();
		left = Objects.requireNonNull(this.endpoint.releaseSequence(new String[] { "orders" }, null));
		assertThat(left.databases().values()).singleElement(MAP).containsOnlyKeys("orders");
		assertThat(orders().range()).isNull();
		assertThat(this.engine.snapshot().get("shop")).extractingByKey("invoices")
			.extracting(SequenceSnapshot::range)
			.isNotNull();
	}

	@Test
	void databaseThatCouldNotBeReturnedToIsNamedAndItsNumbersAreLost() {
		database("shop").failReturns();
		HiLoEndpoint.HiLoDescriptor left = Objects.requireNonNull(this.endpoint.release(null));
		assertThat(left.unanswered()).containsExactly("shop");
		assertThat(database("audit").max()).isEqualTo(1);
		assertThat(this.engine.generator().nextId("orders")).isEqualTo(33);
	}

	@Test
	void databaseThatHasNotAnsweredWhenTheTimeIsUpIsNamed() {
		HiLoEngine impatient = engine(EngineSettings.DEFAULTS.withTimeout(Duration.ofSeconds(1)));
		impatient.generator().nextId("orders");
		database("shop").hold();
		assertThat(impatient.release(null, null)).containsExactly("shop");
	}

	@Test
	void releaseOfWhichNothingCouldBeReturnedFails() {
		this.databases.values().forEach(FakeRangeStore::failReturns);
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> this.endpoint.release(null))
			.withMessageContainingAll("[audit, shop]", "could not be returned");
	}

	@Test
	void failureOfASequenceIsOverOnceItsReleaseSucceeds() {
		database("shop").hold();
		CompletableFuture<?> unused = this.engine.releaseAsync("shop");
		database("shop").fail(new IllegalStateException("away"));
		unused = this.engine.sequence(database("shop"), "orders")
			.placed(null)
			.request(1, IdForm.NUMBER, this.engine.deadline(), null, new Askers(Runnable::run));
		database("shop").fail(new IllegalStateException("away"));
		assertThat(orders().failure()).isNotNull();
		database("shop").answerAll();
		this.endpoint.releaseSequence(new String[] { "orders" }, null);
		assertThat(orders().failure()).isNull();
	}

	private HiLoEngine engine(EngineSettings settings) {
		return settings.engine(new FixedStores(database("shop"), this::database), TimeSource.SYSTEM);
	}

	private SequenceSnapshot orders() {
		return Objects.requireNonNull(Objects.requireNonNull(this.engine.snapshot().get("shop")).get("orders"));
	}

	private FakeRangeStore database(String name) {
		return Objects.requireNonNull(this.databases.get(name));
	}

}

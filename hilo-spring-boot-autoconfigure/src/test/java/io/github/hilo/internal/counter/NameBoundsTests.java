package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.MongoNamespace;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.EngineSteps;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A name that no counter and no database can have is refused by every call, before
 * anything is registered, metered or sent.
 */
class NameBoundsTests {

	private static final int LONGEST = 1_000 - "Raven/HiLo/".length();

	private final TestDatabase database = new TestDatabase();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final HiLoMetrics metrics = new HiLoMetrics(this.meters, ObservationRegistry.NOOP);

	private final HiLoEngine engine = new EngineSettings(TestDatabase.SETTINGS).engine(this.database.newStores(),
			TimeSource.SYSTEM, this.metrics);

	private final HiLoIdGenerator generator = this.engine.generator();

	private final ReactiveHiLoIdGenerator reactive = EngineSteps.reactive(this.engine);

	@AfterEach
	void close() {
		this.engine.close();
		this.database.close();
	}

	static Stream<String> badSequences() {
		return Stream.of("", " ", "\t\n", " ".repeat(5_000), "\ud800", "a\udc00b", "x".repeat(LONGEST + 1),
				"ü".repeat(LONGEST / 2 + 1), "\u20ac".repeat(LONGEST / 3 + 1), "\ud83d\ude00".repeat(LONGEST / 4 + 1));
	}

	@ParameterizedTest
	@MethodSource("badSequences")
	void sequenceThatNoCounterCanCountIsRefusedByEveryCall(String name) {
		calls().forEach((call, made) -> assertRefused(call, () -> made.accept(this, name), "The sequence name "));
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.meters.getMeters()).isEmpty();
		assertThat(this.database.commands().all()).isEmpty();
	}

	private static Map<String, BiConsumer<NameBoundsTests, String>> calls() {
		HiLoIdGenerator inMemory = new InMemoryHiLoIdGenerator();
		return Map.of("nextId", (test, name) -> test.generator.nextId(name), "ensureAtLeast",
				(test, name) -> test.generator.ensureAtLeast(name, 5), "forDatabase",
				(test, name) -> test.generator.forDatabase("other").nextId(name), "warmUp",
				(test, name) -> test.engine.warmUp(List.of(name)), "reactive nextId",
				(test, name) -> test.reactive.nextId(name).block(Duration.ofSeconds(9)), "reactive ensureAtLeast",
				(test, name) -> test.reactive.ensureAtLeast(name, 5).block(Duration.ofSeconds(9)),
				"raise of the endpoint", (test, name) -> test.engine.sequence(test.engine.storeOf("other"), name),
				"in memory", (test, name) -> inMemory.nextId(name));
	}

	private static void assertRefused(String call, Runnable made, String beginning) {
		Throwable failure = catchThrowable(made::run);
		assertThat(failure).as(call).isExactlyInstanceOf(IllegalArgumentException.class);
		assertThat(String.valueOf(failure.getMessage())).as(call)
			.startsWith(beginning)
			.hasSizeLessThan(1600)
			.doesNotContainPattern("\\p{Cntrl}");
	}

	@Test
	void longestNamesCount() {
		Stream.of("x".repeat(LONGEST), "\ud83d\ude00".repeat(LONGEST / 4) + "x")
			.forEach((name) -> assertThat(this.generator.nextDocumentId(name)).isEqualTo(name + "/1-A"));
		assertThat(this.generator.forDatabase("d".repeat(63)).sequence("orders")).isNotNull();
	}

	@ParameterizedTest
	@MethodSource
	void databaseThatCannotBeIsRefusedByEveryCall(String name) {
		String beginning = "The database name ";
		assertRefused("forDatabase", () -> this.generator.forDatabase(name).nextId("orders"), beginning);
		assertRefused("reactive forDatabase", () -> this.reactive.forDatabase(name), beginning);
		assertRefused("raise of the endpoint",
				() -> this.engine.sequence(this.engine.storeOf(name), "orders").placed(null).ensureAtLeast(5),
				beginning);
		assertRefused("in memory", () -> new InMemoryHiLoIdGenerator().forDatabase(name), beginning);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.meters.getMeters()).isEmpty();
		assertThat(this.database.commands().all()).isEmpty();
	}

	static Stream<String> databaseThatCannotBeIsRefusedByEveryCall() {
		return Stream.concat(Stream.of("", " ", "d".repeat(64), "ü".repeat(32), "a$b", "\ud800"),
				IntStream.range(0, 128)
					.mapToObj((c) -> "a" + (char) c)
					.filter((name) -> catchThrowable(() -> MongoNamespace.checkDatabaseNameValidity(name)) != null));
	}

	@Test
	void databaseThatTheApplicationResolvesIsRefusedToo() {
		String name = "tenant".repeat(11);
		MongoRangeStores stores = Stores.blocking(() -> this.database.client().getDatabase(name), false,
				this.database.client()::getDatabase, TestDatabase.storeSettings(), TimeSource.SYSTEM);
		try (HiLoEngine tenants = EngineSettings.DEFAULTS.engine(stores, TimeSource.SYSTEM)) {
			assertThatIllegalArgumentException().isThrownBy(() -> tenants.generator().nextId("orders"))
				.withMessageStartingWith("The database name '" + name + "' is too long");
			assertThat(tenants.snapshot()).isEmpty();
		}
		assertThat(this.database.commands().all()).isEmpty();
	}

}

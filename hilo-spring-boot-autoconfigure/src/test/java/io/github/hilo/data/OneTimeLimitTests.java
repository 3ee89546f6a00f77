package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Documents.Ticket;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Calls and saves that wait for one thing after the other, none of which takes as long as
 * {@code hilo.timeout}.
 */
@ParameterizedClass
@ValueSource(booleans = { false, true })
@Thorough
@Execution(ExecutionMode.CONCURRENT)
class OneTimeLimitTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	@Parameter
	private boolean reactive;

	@Test
	void callWaitsForItsRangeAndForTheFindThatCoversItsPlace() throws Exception {
		run((app, primary) -> {
			primary.delay("reserve", tenths(6));
			CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> nextId(app, Ticket.class));
			primary.failFinds("archive", WireFault.LOST);
			Awaitility.await().until(() -> !primary.commands("reserve").isEmpty());
			endsInTime(() -> nextId(app, OldTicket.class));
			assertThat(first).isCompletedWithValue(101L);
			assertThat(primary.commands("find")).as("one in each place").hasSize(2);
		});
	}

	@Test
	void callWaitsForTheFindThatMeetsADocumentAndForTheNextRange() throws Exception {
		run((app, primary) -> {
			assertThat(nextId(app, Ticket.class)).isEqualTo(101);
			primary.failAlways("find", WireFault.FOUND);
			primary.delay("find", tenths(3));
			primary.delay("reserve", tenths(6));
			endsInTime(() -> nextId(app, OldTicket.class));
			assertThat(primary.commands("reserve")).as("the range ends with the document").hasSizeGreaterThan(1);
		});
	}

	@Test
	void saveWaitsForTheRangeOfEachProperty() throws Exception {
		run((app, primary) -> {
			primary.delay("reserve", tenths(6));
			endsInTime(() -> save(app, new Parcel(null, null, null)));
			assertThat(primary.commands("reserve")).hasSize(2);
		});
	}

	@Test
	void callersWhoseTurnDoesNotComeDoNotBlameMongoDb() throws Exception {
		run((app, primary) -> {
			// At most 64 share a reservation, and the others need the next.
			primary.delay("reserve", tenths(6));
			List<CompletableFuture<Long>> callers = IntStream.range(0, 70)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> nextId(app, Invoice.class),
						(task) -> new Thread(task).start()))
				.toList();
			assertThat(callers).filteredOn((caller) -> catchThrowable(caller::join) != null)
				.isNotEmpty()
				.allSatisfy((caller) -> assertThat(catchThrowable(caller::join)).cause()
					.hasMessageContainingAll("no range was reserved for it", "within hilo.timeout (3s)"));
		});
	}

	/**
	 * With a limit for each wait they take at least one and a half times as long.
	 */
	private static void endsInTime(ThrowingCallable call) {
		long begunNanos = System.nanoTime();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(call)
			.withMessageContaining("within hilo.timeout (3s)");
		assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(tenths(14));
	}

	private static Duration tenths(int tenths) {
		return TIMEOUT.multipliedBy(tenths).dividedBy(10);
	}

	private void run(BiConsumer<TestApplication, FakePrimary> test) throws Exception {
		try (FakePrimary primary = new FakePrimary()) {
			Stream.of("tickets", "invoices", "parcels", "boxes", "bags")
				.forEach((name) -> primary.setMax(name, new BsonInt64(100)));
			TestApplications.run(this.reactive ? ReactiveApplications.withReactiveDriver(primary.connectionProperties())
					: primary.contextRunner(), (app) -> {
						// Connected, and warm.
						app.generator().nextId("others");
						primary.commands().clear();
						test.accept(app, primary);
					}, "hilo.timeout=" + TIMEOUT.toMillis() + "ms", "hilo.sequences.invoices.consecutive=true");
		}
	}

	private Long nextId(TestApplication app, Class<?> type) {
		return this.reactive ? Objects.requireNonNull(app.reactiveGenerator().nextId(type).block())
				: app.generator().nextId(type);
	}

	private void save(TestApplication app, Object entity) {
		Object unused = this.reactive ? app.reactiveTemplate().save(entity).block() : app.template().save(entity);
	}

	@HiLo("tickets")
	@Document("archive")
	record OldTicket(@Nullable Long id) {
	}

	@Document("invoices")
	record Invoice(@Nullable Long id) {
	}

	@Document("parcels")
	record Parcel(@Nullable Long id, @HiLo("boxes") @Nullable Long box, @HiLo("bags") @Nullable Long bag) {
	}

}

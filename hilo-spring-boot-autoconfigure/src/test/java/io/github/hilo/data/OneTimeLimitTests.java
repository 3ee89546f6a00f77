package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Calls and saves that wait for one thing after the other, none of which takes as long as
 * {@code hilo.timeout}.
 */
@Thorough
@Execution(ExecutionMode.CONCURRENT)
class OneTimeLimitTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callWaitsForItsRangeAndForTheFindThatConfirmsIt(boolean reactive) throws Exception {
		run(reactive, (application) -> {
			FakePrimary primary = application.primary();
			primary.delay("reserve", tenths(6));
			CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> application.nextId(Ticket.class));
			Awaitility.await()
				.until(() -> Stream.of("reserve", "find").noneMatch((kind) -> primary.commands(kind).isEmpty()));
			primary.failAlways("find", WireFault.LOST);
			endsInTime(() -> application.nextId(OldTicket.class));
			assertThat(first).isCompletedWithValue(101L);
			assertThat(primary.commands("find")).as("one in each place").hasSize(2);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callWaitsForTheFindThatMeetsADocumentAndForTheNextRange(boolean reactive) throws Exception {
		run(reactive, (application) -> {
			assertThat(application.nextId(Ticket.class)).isEqualTo(101);
			application.primary().failAlways("find", WireFault.FOUND);
			application.primary().delay("find", tenths(3));
			application.primary().delay("reserve", tenths(6));
			endsInTime(() -> application.nextId(OldTicket.class));
			assertThat(application.primary().commands("reserve")).as("the range ends with the document")
				.hasSizeGreaterThan(1);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void saveWaitsForTheRangeOfEachProperty(boolean reactive) throws Exception {
		run(reactive, (application) -> {
			application.primary().delay("reserve", tenths(6));
			endsInTime(() -> application.save(new Parcel(null, null, null)));
			assertThat(application.primary().commands("reserve")).hasSize(2);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callersWhoseTurnDoesNotComeDoNotBlameMongoDb(boolean reactive) throws Exception {
		run(reactive, (application) -> {
			application.primary().delay("reserve", tenths(4));
			List<CompletableFuture<Long>> callers = IntStream.range(0, 5)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> application.nextId(Invoice.class),
						(task) -> new Thread(task).start()))
				.toList();
			assertThat(callers).filteredOn((caller) -> catchThrowable(caller::join) != null)
				.isNotEmpty()
				.allSatisfy((caller) -> assertThat(catchThrowable(caller::join)).cause()
					.hasMessageContainingAll("it was not its turn, although MongoDB answered ",
							"within hilo.timeout (3s)"));
		});
	}

	/**
	 * With a limit for each wait they take at least one and a half times as long.
	 */
	private static void endsInTime(ThrowingCallable call) {
		long begunNanos = System.nanoTime();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(call)
			.withMessageContainingAll("no answer from MongoDB", "within hilo.timeout (3s)");
		assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(tenths(14));
	}

	private static Duration tenths(int tenths) {
		return TIMEOUT.multipliedBy(tenths).dividedBy(10);
	}

	private static void run(boolean reactive, Consumer<Application> test) throws Exception {
		try (FakePrimary primary = new FakePrimary()) {
			Stream.of("tickets", "invoices", "parcels", "boxes", "bags")
				.forEach((name) -> primary.setMax(name, new BsonInt64(100)));
			(reactive ? ReactiveApplications.withReactiveDriver(primary.connectionProperties())
					: primary.contextRunner())
				.withPropertyValues("hilo.timeout=" + TIMEOUT.toMillis() + "ms",
						"hilo.sequences.invoices.consecutive=true")
				.run((context) -> {
					// Connected, and warm.
					context.getBean(HiLoIdGenerator.class).nextId("others");
					primary.commands().clear();
					test.accept(new Application(primary, context, reactive));
				});
		}
	}

	private record Application(FakePrimary primary, ApplicationContext context, boolean reactive) {

		Long nextId(Class<?> type) {
			return this.reactive
					? Objects.requireNonNull(this.context.getBean(ReactiveHiLoIdGenerator.class).nextId(type).block())
					: this.context.getBean(HiLoIdGenerator.class).nextId(type);
		}

		void save(Object entity) {
			if (this.reactive) {
				this.context.getBean(ReactiveMongoTemplate.class).save(entity).block();
			}
			else {
				this.context.getBean(MongoTemplate.class).save(entity);
			}
		}

	}

	@HiLo("tickets")
	@Document("tickets")
	record Ticket(@Nullable Long id) {
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

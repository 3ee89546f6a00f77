package io.github.hilo.data;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.WireFault;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.awaitility.Awaitility;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What reactive callers get, in which order, and when, whatever the application does on
 * Reactor's threads.
 */
class ReactiveOrderTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int LISTS = 30;

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	/**
	 * Spring Data asks for all elements on one thread, and stores them in the order in
	 * which they get their ids.
	 */
	@ParameterizedTest
	@CsvSource({ "3, 1048576", "10, 1048576", "10, 7", "100, 1048576", "100, 64", "1000, 500" })
	void listKeepsItsOrderAndItsIdsAscend(int size, int maxSize) {
		run((app, template) -> {
			for (int list = 0; list < LISTS; list++) {
				String collection = "orders" + list % 3;
				assertOrder(template.insert(items(size), collection).collectList(), size);
			}
		}, "hilo.range.max-size=" + maxSize, "hilo.range.initial-size=" + Math.min(32, maxSize));
	}

	@ParameterizedTest
	@CsvSource({ "10, false", "300, false", "10, true", "100, true" })
	void listWithTwoNumbersKeepsItsOrder(int size, boolean consecutive) {
		run((app, template) -> {
			for (int list = 0; list < 10; list++) {
				List<Numbered> stored = block(template
					.insertAll(IntStream.range(0, size).mapToObj((i) -> new Numbered(null, null, i)).toList())
					.collectList());
				assertThat(stored).extracting(Numbered::position)
					.containsExactlyElementsOf(IntStream.range(0, size).boxed().toList());
				assertThat(stored).extracting(Numbered::id).doesNotContainNull().isSorted();
				assertThat(stored).extracting(Numbered::number).doesNotContainNull().isSorted();
			}
		}, "hilo.sequences[numbered*].consecutive=" + consecutive);
	}

	@Test
	void callsOfManyThreadsThatBlockAreAllAnswered() {
		run((app, template) -> {
			List<Long> numbers = block(Flux.range(0, 100)
				.flatMap((i) -> Mono.fromCallable(() -> block(app.reactiveGenerator().nextId("orders")))
					.subscribeOn(Schedulers.boundedElastic()), 100)
				.collectList());
			assertThat(numbers).containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
		});
	}

	@Test
	void threadsOfTheApplicationDelayNeitherANumberNorALimit() throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		try (FakePrimary primary = new FakePrimary()) {
			primary.setMax("orders", new BsonInt64(0));
			primary.setMax("slow", new BsonInt64(0));
			primary.delay("reserve", Duration.ofMillis(100));
			primary.failFinds("slow", WireFault.LOST);
			TestApplications.run(this.applications.reactive(false).withPropertyValues(primary.connectionProperties()),
					(app) -> {
						IntStream.range(0, Schedulers.DEFAULT_POOL_SIZE)
							.forEach((i) -> Schedulers.parallel().schedule(() -> await(over)));
						try {
							// Blocks without a timer of Reactor.
							assertThat(app.reactiveGenerator().nextId("orders").toFuture().get(1, TimeUnit.SECONDS))
								.isEqualTo(1);
							long beganNanos = System.nanoTime();
							assertThatExceptionOfType(HiLoUnavailableException.class)
								.isThrownBy(() -> app.reactiveGenerator().nextId("slow").block());
							assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
								.isLessThan(Duration.ofSeconds(10));
						}
						finally {
							over.countDown();
						}
					}, "hilo.timeout=2s");
		}
	}

	/**
	 * A subscriber that computes for long holds up the answers of its own thread alone.
	 */
	@Test
	void slowSubscriberDelaysNoOtherThread() {
		CountDownLatch over = new CountDownLatch(1);
		run((app, template) -> {
			ReactiveHiLoIdGenerator generator = app.reactiveGenerator();
			CountDownLatch computes = new CountDownLatch(1);
			generator.nextId("slow").subscribe((number) -> {
				computes.countDown();
				await(over);
			});
			await(computes);
			try {
				for (int i = 0; i < 8; i++) {
					String sequence = "other" + i;
					// The first number of a thread is waited for, and published by a
					// task.
					List<Long> numbers = Callers.start(1, () -> {
						Long first = block(generator.nextId(sequence));
						return List.of(first, block(generator.nextId(sequence)));
					}).answers().get(0);
					assertThat(numbers).containsExactly(1L, 2L);
				}
			}
			finally {
				over.countDown();
			}
		}, "hilo.timeout=20s");
	}

	/**
	 * That of a call whose database is never resolved, while callers hold all threads of
	 * {@code boundedElastic}.
	 */
	@Test
	void limitFiresAlthoughAllThreadsOfReactorWait() {
		CountDownLatch over = new CountDownLatch(1);
		IntStream.range(0, Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE)
			.forEach((i) -> Schedulers.boundedElastic().schedule(() -> await(over)));
		try {
			TestApplications.run(
					this.applications.reactive(false)
						.withUserConfiguration(ReactiveIdAssignmentTests.LostDatabase.class),
					(app) -> assertThatExceptionOfType(HiLoUnavailableException.class)
						.isThrownBy(() -> app.reactiveGenerator().nextId("orders").block(PATIENCE)),
					"hilo.timeout=200ms");
		}
		finally {
			over.countDown();
		}
	}

	@Test
	void answersThatWaitForAThreadArriveAlthoughTheContextCloses() {
		CountDownLatch over = new CountDownLatch(1);
		List<CompletableFuture<Long>> calls = new ArrayList<>();
		run((app, template) -> {
			ReactiveHiLoIdGenerator generator = app.reactiveGenerator();
			for (int i = 0; i < 3 * Schedulers.DEFAULT_POOL_SIZE; i++) {
				String sequence = "closing" + i;
				calls.add(block(
						Mono.fromCallable(() -> generator.nextId(sequence).doOnNext((number) -> await(over)).toFuture())
							.subscribeOn(Schedulers.newSingle("asker", true))));
			}
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> app.engine()
					.snapshot()
					.values()
					.stream()
					.flatMap((database) -> database.values().stream())
					.filter((shown) -> shown.issued() == 1)
					.count() == calls.size());
			Thread opener = new Thread(() -> {
				Awaitility.await().atMost(PATIENCE).until(() -> !app.context().isRunning());
				over.countDown();
			});
			opener.start();
		});
		over.countDown();
		assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE));
	}

	@Test
	void noThreadOfTheLibraryIsLeftWhenTheContextHasClosed() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		run((app, template) -> block(template.insert(new Item(null, 1), "orders")));
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().startsWith("hilo-"))
				.allMatch(before::contains));
	}

	private static void assertOrder(Mono<List<Item>> stored, int size) {
		List<Item> items = block(stored);
		assertThat(items).extracting(Item::position)
			.containsExactlyElementsOf(IntStream.range(0, size).boxed().toList());
		assertThat(items).extracting(Item::id).doesNotContainNull().isSorted();
	}

	private static List<Item> items(int size) {
		return IntStream.range(0, size).mapToObj((i) -> new Item(null, i)).toList();
	}

	private static <T> T block(Mono<T> mono) {
		T value = mono.block(PATIENCE);
		assertThat(value).isNotNull();
		return value;
	}

	private static void await(CountDownLatch latch) {
		boolean interrupted = false;
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void run(BiConsumer<TestApplication, ReactiveMongoTemplate> test, String... properties) {
		TestApplications.run(this.applications.reactive(false), (app) -> test.accept(app, app.reactiveTemplate()),
				properties);
	}

	record Item(@Id @Nullable Long id, int position) {
	}

	@Document("numbered")
	record Numbered(@Id @Nullable Long id, @HiLo @Nullable Long number, int position) {
	}

}

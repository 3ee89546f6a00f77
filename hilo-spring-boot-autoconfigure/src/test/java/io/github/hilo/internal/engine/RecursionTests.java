package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers that recurse until the stack is full, which may strike between any two
 * statements. None of them disables a sequence.
 */
@Thorough
class RecursionTests {

	private static final int STACK_BYTES = 256 * 1024;

	private static final long CALL_EACH = 32;

	private static final long FRAMES_APART = 5;

	private static final int FEW = 6;

	private static final int MANY = 10;

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final TestDatabase database = new TestDatabase();

	private final HiLoEngine engine = this.database
		.newEngine(new EngineSettings(TestDatabase.SETTINGS).withTimeout(Duration.ofSeconds(5))
			.withConsecutiveSequences()
			.settings());

	@AfterEach
	void close() {
		this.engine.close();
		this.database.close();
	}

	@Test
	void nobodyDisablesAnything() throws Exception {
		recurse(FEW, this::callBlocking);
		recurse(FEW, callReactive());
	}

	@Test
	@Exhaustive
	void nobodyDisablesAnythingWhereverItStrikes() throws Exception {
		recurse(MANY, this::callBlocking);
		recurse(MANY, callReactive());
	}

	private void callBlocking() {
		this.engine.generator().nextId("orders");
	}

	private Runnable callReactive() {
		ReactiveHiLoIdGenerator reactive = EngineSteps.reactive(this.engine);
		return () -> reactive.nextId("orders").subscribe((number) -> {
		}, (failure) -> {
		});
	}

	private void recurse(int times, Runnable call) throws Exception {
		long last = next("before", 0);
		for (int i = 0; i < times; i++) {
			long start = FRAMES_APART * i;
			CompletableFuture<Throwable> overflown = new CompletableFuture<>();
			Thread thread = new Thread(null, () -> {
				try {
					recurse(start, call);
				}
				// Also as the reason for which a call got no number.
				catch (StackOverflowError | HiLoUnavailableException ex) {
					overflown.complete(ex);
				}
			}, "recursion", STACK_BYTES);
			thread.start();
			thread.join(PATIENCE.toMillis());
			assertThat(overflown).as("the stack was full").isCompleted();
			last = next("after recursion " + i, last);
		}
	}

	/**
	 * Calls until what was interrupted, or waits in the queue, has ended with its
	 * deadline.
	 */
	private long next(String when, long before) {
		HiLoIdGenerator generator = this.engine.generator();
		return Awaitility.await(when)
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(HiLoUnavailableException.class)
			.until(() -> generator.ensureAtLeast("orders", generator.nextId("orders")), (last) -> last > before);
	}

	/**
	 * Calls on every 32nd level, on others each time.
	 */
	@SuppressWarnings("InfiniteRecursion") // on purpose
	private long recurse(long level, Runnable call) {
		if (level % CALL_EACH == 0) {
			call.run();
		}
		return recurse(level + 1, call) + 1;
	}

}

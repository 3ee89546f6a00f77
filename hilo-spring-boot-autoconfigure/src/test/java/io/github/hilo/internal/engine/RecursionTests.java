package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
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

	private final TestDatabase database = new TestDatabase();

	private final HiLoEngine engine = this.database
		.newEngine(new EngineSettings(TestDatabase.SETTINGS).withTimeout(Duration.ofMinutes(1))
			.withConsecutiveSequences()
			.settings());

	@AfterEach
	void close() {
		this.engine.close();
		this.database.close();
	}

	@Test
	void callerThatBlocksDisablesNothing() throws Exception {
		recurse(FEW, this::callBlocking);
	}

	@Test
	void reactiveCallerDisablesNothing() throws Exception {
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
		HiLoIdGenerator generator = this.engine.generator();
		long last = generator.nextId("orders");
		for (int i = 0; i < times; i++) {
			long start = FRAMES_APART * i;
			CompletableFuture<Boolean> overflown = new CompletableFuture<>();
			Thread thread = new Thread(null, () -> {
				try {
					recurse(start, call);
				}
				catch (StackOverflowError ex) {
					overflown.complete(true);
				}
			}, "recursion", STACK_BYTES);
			thread.start();
			thread.join(TimeUnit.SECONDS.toMillis(60));
			assertThat(overflown).as("the stack was full").isCompletedWithValue(true);
			long next = CompletableFuture.supplyAsync(() -> generator.nextId("orders")).get(50, TimeUnit.SECONDS);
			assertThat(next).as("after recursion %d", i).isGreaterThan(last);
			assertThat(this.engine.generator().ensureAtLeast("orders", next)).isGreaterThanOrEqualTo(next);
			last = next;
		}
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

package io.github.hilo.internal.engine;

import java.util.concurrent.CompletableFuture;

import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import reactor.core.publisher.Mono;

/**
 * The steps of an engine's life, for tests that must not wait for them.
 */
public final class EngineSteps {

	private EngineSteps() {
	}

	/**
	 * Makes a generator for reactive callers of the engine's current database.
	 */
	public static ReactiveHiLoIdGenerator reactive(HiLoEngine engine) {
		return new DefaultReactiveHiLoIdGenerator(new ReactiveCalls(engine),
				Mono.fromSupplier(() -> engine.currentStore(engine.deadline())),
				(name) -> Mono.just(engine.storeOf(name)));
	}

	public static CompletableFuture<?> pause(HiLoEngine engine) {
		return HiLoEngine.all(engine.pausing());
	}

	public static void discard(HiLoEngine engine) {
		engine.discard();
	}

	public static CompletableFuture<?> close(HiLoEngine engine) {
		return HiLoEngine.all(engine.closing());
	}

}

package io.github.hilo.internal.engine;

import java.util.concurrent.CompletableFuture;

/**
 * The steps of an engine's life, for tests that must not wait for them.
 */
public final class EngineSteps {

	private EngineSteps() {
	}

	public static CompletableFuture<?> pause(HiLoEngine engine) {
		return engine.pausing().ended();
	}

	public static void discard(HiLoEngine engine) {
		engine.discard();
	}

	public static CompletableFuture<?> close(HiLoEngine engine) {
		return engine.closing().ended();
	}

}

package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.engine.EngineListener;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The application's listeners, found with the first event: one may need a template, which
 * depends on the engine.
 * <p>
 * Thread-safe without a lock, which a thread that creates beans might wait for: who comes
 * second finds the same.
 */
final class FoundListeners implements Supplier<List<EngineListener>> {

	private final ObjectProvider<EngineListener> beans;

	private volatile @Nullable List<EngineListener> found;

	FoundListeners(ObjectProvider<EngineListener> beans) {
		this.beans = beans;
	}

	@Override
	public List<EngineListener> get() {
		List<EngineListener> known = this.found;
		if (known == null) {
			known = this.beans.orderedStream().toList();
			this.found = known;
		}
		return known;
	}

}

package io.github.hilo.autoconfigure;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Beans that are found when they are first needed, because they may depend on beans that
 * need the owner themselves.
 * <p>
 * Thread-safe, without a lock, which would block an event loop, or a thread that creates
 * beans: two that are the first at the same time have it supplied twice, so the origin
 * must always answer the same.
 */
final class OnceSupplied<T> implements Supplier<T> {

	private final Supplier<T> origin;

	private volatile @Nullable T supplied;

	OnceSupplied(Supplier<T> origin) {
		this.origin = origin;
	}

	@Override
	public T get() {
		T value = this.supplied;
		if (value == null) {
			value = this.origin.get();
			this.supplied = value;
		}
		return value;
	}

}

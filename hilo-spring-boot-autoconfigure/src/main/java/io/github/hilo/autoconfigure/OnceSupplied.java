package io.github.hilo.autoconfigure;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Finds a bean when it is first needed, because the bean may depend on beans that need
 * the owner of this object.
 * <p>
 * Thread-safe without a lock, which could block an event loop or a thread that creates
 * beans. Two threads that are first at the same time may both call the origin.
 * {@code supplied} keeps the result of the thread that is done first, and both threads
 * return that result.
 */
final class OnceSupplied<T> implements Supplier<T> {

	private final Supplier<T> origin;

	private final AtomicReference<@Nullable T> supplied = new AtomicReference<>();

	OnceSupplied(Supplier<T> origin) {
		this.origin = origin;
	}

	@Override
	public T get() {
		T value = this.supplied.get();
		if (value == null) {
			T first = this.origin.get();
			value = this.supplied.compareAndSet(null, first) ? first : Objects.requireNonNull(this.supplied.get());
		}
		return value;
	}

}

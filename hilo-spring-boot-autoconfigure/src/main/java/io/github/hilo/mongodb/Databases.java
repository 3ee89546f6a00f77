package io.github.hilo.mongodb;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Where databases come from. Internal.
 *
 * @param <D> a database, or what resolves it for each subscriber; no session may be bound
 * to it
 * @param <C> a client, or what resolves it for each subscriber
 * @param current resolves the database of the calling thread
 * @param fixed whether that is always the same one
 * @param named resolves a database by its name
 * @param client finds the client of the calling thread's database, if it can be told
 * @param origin whose databases they are, or {@code null} if they are the default ones
 * @hidden
 */
public record Databases<D, C extends @Nullable Object>(Supplier<D> current, BooleanSupplier fixed,
		Function<String, D> named, Supplier<C> client, @Nullable Object origin) {
}

package io.github.hilo.internal.mongodb;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The databases that a factory leads to.
 *
 * @param <D> a database, or what resolves it for each subscriber; no session may be bound
 * to it
 * @param <C> settings of a client, or what resolves them for each subscriber
 * @param current resolves the database of the calling thread
 * @param named resolves a database by its name
 * @param sameName whether the current one has always the same name
 * @param fixed whether it is always the same one: its client cannot be replaced, either
 * @param cluster tells the cluster that the calling thread's database is in, if that can
 * be told, or refuses it
 * @param certain whether each database must be in the cluster that is told; otherwise
 * each may be led to another client
 * @param origin finds whose databases they are, or {@code null} if those of a cluster
 * that cannot be told are the default's
 */
public record Databases<D, C extends @Nullable Object>(Supplier<D> current, Function<String, D> named,
		BooleanSupplier sameName, BooleanSupplier fixed, Supplier<C> cluster, BooleanSupplier certain,
		Supplier<@Nullable Object> origin) {
}

package io.github.hilo.internal.mongodb;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import org.jspecify.annotations.Nullable;

/**
 * The databases that a factory leads to.
 *
 * @param <D> a database, or what resolves it for each subscriber; no session may be bound
 * to it
 * @param current resolves the database of the calling thread
 * @param named resolves a database by its name
 * @param sameName whether the current one has always the same name
 * @param fixed whether it is always the same one: its client cannot be replaced, either
 * @param cluster tells the cluster that they are in now, or {@code null} if that is the
 * default's, or refuses them
 */
public record Databases<D>(Supplier<D> current, Function<String, D> named, BooleanSupplier sameName,
		BooleanSupplier fixed, Supplier<@Nullable ClusterSettings> cluster) {
}

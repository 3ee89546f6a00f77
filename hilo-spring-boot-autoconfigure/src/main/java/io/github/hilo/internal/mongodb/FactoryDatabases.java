package io.github.hilo.internal.mongodb;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import org.jspecify.annotations.Nullable;

/**
 * The databases to which a factory leads.
 *
 * @param <D> a database, or what resolves it for each subscriber; not bound to a session
 * @param current resolves the database of the calling thread
 * @param named resolves a database by its name
 * @param sameName returns whether the current database always has the same name
 * @param fixed returns whether the current database is always the same, and its client
 * cannot be replaced
 * @param cluster returns the settings of the cluster in which the databases are now, or
 * {@code null} if it is the default's; throws if they may not be used
 */
public record FactoryDatabases<D>(Supplier<D> current, Function<String, D> named, BooleanSupplier sameName,
		BooleanSupplier fixed, Supplier<@Nullable ClusterSettings> cluster) {
}

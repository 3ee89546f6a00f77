package io.github.hilo.internal.mongodb;

import com.mongodb.connection.ClusterSettings;
import org.jspecify.annotations.Nullable;

/**
 * A factory of the application, which leads to databases. Thread-safe.
 *
 * @param <D> a database, or what resolves it for each subscriber; not bound to a session
 */
public interface DatabaseFactory<D> {

	/**
	 * Resolves the database of the calling thread.
	 */
	D currentDatabase();

	D namedDatabase(String name);

	/**
	 * Returns the settings of the cluster in which the databases are now, or {@code null}
	 * if that is the cluster of the default database.
	 * @throws IllegalStateException if the cluster is not known
	 */
	@Nullable ClusterSettings cluster();

	/**
	 * Returns whether the current database always has the same name. Its client can be
	 * replaced.
	 */
	boolean hasFixedName();

	/**
	 * Returns whether the current database is always the same, and its client cannot be
	 * replaced.
	 */
	boolean isFixed();

	/**
	 * Returns whether this is the factory of the default database.
	 */
	boolean isDefault();

}

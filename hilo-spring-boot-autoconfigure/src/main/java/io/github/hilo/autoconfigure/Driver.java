package io.github.hilo.autoconfigure;

import com.mongodb.connection.ClusterSettings;
import org.jspecify.annotations.Nullable;

/**
 * The types of Spring Data and of one MongoDB driver that lead to a database.
 *
 * @param <T> a template
 * @param <F> a factory
 * @param <C> a client
 * @param <D> a database, or a publisher of it
 */
interface Driver<T, F, C, D> {

	Class<T> templateType();

	@Nullable F factoryOf(T template);

	Class<F> factoryType();

	/**
	 * Returns the class of the factories that always lead to the same database of their
	 * client. Subclasses do not count.
	 */
	Class<? extends F> fixedFactoryType();

	D currentDatabase(F factory);

	D namedDatabase(F factory, String name);

	/**
	 * Returns the type that declares the method that returns a factory's client.
	 */
	Class<?> clusterCapableType();

	/**
	 * Calls that method.
	 */
	@Nullable Object clientOf(Object clusterCapable);

	Class<C> clientType();

	ClusterSettings clusterOf(C client);

	D databaseOf(C client, String name);

}

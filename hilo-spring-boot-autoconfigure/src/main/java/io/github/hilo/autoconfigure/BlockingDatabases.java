package io.github.hilo.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.Databases;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.util.ReflectionUtils;

/**
 * How templates of the synchronous driver lead to databases: a template has a factory,
 * the default one's is found by {@link DefaultFactory}; a factory tells its cluster by
 * its {@link TellingMethods}, and its database has a name.
 */
final class BlockingDatabases {

	private static final @Nullable Method CLUSTER = TellingMethods.clusterMethod("MongoClusterCapable");

	private static final ClientSessionOptions SESSION = ClientSessionOptions.builder().build();

	private final ConfigurableListableBeanFactory beans;

	private final DefaultFactory<MongoTemplate, MongoDatabaseFactory> defaultFactory;

	private final Supplier<List<String>> clients;

	BlockingDatabases(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
		this.defaultFactory = new DefaultFactory<>(beans, MongoTemplate.class, MongoTemplate::getMongoDatabaseFactory,
				MongoDatabaseFactory.class, BlockingDatabases::clientOf);
		this.clients = TellingMethods.clients(beans, MongoClient.class);
	}

	DefaultFactory<MongoTemplate, MongoDatabaseFactory> defaultFactory() {
		return this.defaultFactory;
	}

	/**
	 * The default databases: without a default one, others are those of the only client.
	 */
	Databases<MongoDatabase, @Nullable ClusterSettings> ofDefault() {
		DefaultFactory<MongoTemplate, MongoDatabaseFactory> factory = this.defaultFactory;
		return new Databases<>(() -> factory.get().getMongoDatabase(),
				(name) -> factory.isThere() ? factory.get().getMongoDatabase(name)
						: this.beans.getBean(MongoClient.class).getDatabase(name),
				() -> factory.isFixed(BlockingDatabases::isSimple), () -> factory.isFixed(BlockingDatabases::isFixed),
				() -> factory.isThere() ? clusterOf(factory.get()) : null, () -> isCertain(factory.get()), () -> null);
	}

	Databases<MongoDatabase, @Nullable ClusterSettings> of(MongoDatabaseFactory factory) {
		return new Databases<>(factory::getMongoDatabase, factory::getMongoDatabase, () -> isSimple(factory),
				() -> isFixed(factory), () -> clusterOf(factory), () -> isCertain(factory), () -> factory);
	}

	private static boolean isSimple(Object factory) {
		return factory.getClass() == SimpleMongoClientDatabaseFactory.class;
	}

	static boolean isFixed(Object factory) {
		return isSimple(factory) && TellingMethods.isDriversOwn(clientOf((MongoDatabaseFactory) factory))
				&& (CLUSTER != null || !TellingMethods.holdsProxy(factory));
	}

	private @Nullable ClusterSettings clusterOf(MongoDatabaseFactory factory) {
		MongoClient client = clientOf(factory);
		if (client == null || !isCertain(factory)) {
			TellingMethods.requireOneClient(factory, this.clients.get());
		}
		return (client != null) ? client.getClusterDescription().getClusterSettings() : null;
	}

	private static boolean isCertain(MongoDatabaseFactory factory) {
		TellingMethods methods = TellingMethods.of(factory);
		return methods.isCertain(clusterMethod(factory, methods) != null);
	}

	private static @Nullable Method clusterMethod(MongoDatabaseFactory factory, TellingMethods methods) {
		return (CLUSTER != null && CLUSTER.getDeclaringClass().isInstance(factory)
				&& (methods.cluster() || !methods.session())) ? CLUSTER : null;
	}

	/**
	 * A session tells its client, too, and asks no server for anything until it is used.
	 */
	private static @Nullable MongoClient clientOf(MongoDatabaseFactory factory) {
		try {
			Method cluster = clusterMethod(factory, TellingMethods.of(factory));
			if (cluster != null) {
				return (ReflectionUtils.invokeMethod(cluster, factory) instanceof MongoClient client) ? client : null;
			}
			try (ClientSession session = factory.getSession(SESSION)) {
				return (session != null && session.getOriginator() instanceof MongoClient client) ? client : null;
			}
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

}

package io.github.hilo.autoconfigure;

import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.mongodb.Databases;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/**
 * The databases of factories of the synchronous driver.
 */
final class BlockingDatabases {

	private static final ClientSessionOptions SESSION = ClientSessionOptions.builder().build();

	private BlockingDatabases() {
	}

	static Supplier<MongoDatabaseFactory> defaultFactory(BeanFactory beans) {
		return new OnceSupplied<>(new DefaultFactory<>(beans, MongoTemplate.class,
				MongoTemplate::getMongoDatabaseFactory, MongoDatabaseFactory.class));
	}

	/**
	 * The default databases: without a default one, others are those of the only client.
	 */
	static Databases<MongoDatabase, @Nullable MongoClient> ofDefault(BeanFactory beans) {
		Supplier<MongoDatabaseFactory> factory = defaultFactory(beans);
		return of(factory, (name) -> DefaultFactory.is(factory, (found) -> true) ? factory.get().getMongoDatabase(name)
				: beans.getBean(MongoClient.class).getDatabase(name));
	}

	static Databases<MongoDatabase, @Nullable MongoClient> of(Supplier<MongoDatabaseFactory> factory,
			Function<String, MongoDatabase> named) {
		return new Databases<>(() -> factory.get().getMongoDatabase(),
				() -> DefaultFactory.is(factory, BlockingDatabases::isFixed), named, () -> clientOf(factory));
	}

	static boolean isFixed(MongoDatabaseFactory factory) {
		return factory.getClass() == SimpleMongoClientDatabaseFactory.class;
	}

	/**
	 * A session tells its client, and asks no server for anything until it is used.
	 */
	private static @Nullable MongoClient clientOf(Supplier<MongoDatabaseFactory> factory) {
		try (ClientSession session = factory.get().getSession(SESSION)) {
			return (session != null && session.getOriginator() instanceof MongoClient client) ? client : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

}

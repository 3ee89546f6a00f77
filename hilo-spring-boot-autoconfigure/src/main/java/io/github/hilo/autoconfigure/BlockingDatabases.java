package io.github.hilo.autoconfigure;

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

	static DefaultFactory<MongoTemplate, MongoDatabaseFactory> defaultFactory(BeanFactory beans) {
		return new DefaultFactory<>(beans, MongoTemplate.class, MongoTemplate::getMongoDatabaseFactory,
				MongoDatabaseFactory.class, BlockingDatabases::clientOf);
	}

	/**
	 * The default databases: without a default one, others are those of the only client.
	 */
	static Databases<MongoDatabase, @Nullable MongoClient> ofDefault(BeanFactory beans) {
		DefaultFactory<MongoTemplate, MongoDatabaseFactory> factory = defaultFactory(beans);
		return new Databases<>(() -> factory.get().getMongoDatabase(),
				() -> factory.isFixed(BlockingDatabases::isFixed),
				(name) -> factory.is((found) -> true) ? factory.get().getMongoDatabase(name)
						: beans.getBean(MongoClient.class).getDatabase(name),
				() -> factory.is((found) -> true) ? clientOf(factory.get()) : null, null);
	}

	static Databases<MongoDatabase, @Nullable MongoClient> of(MongoDatabaseFactory factory) {
		return new Databases<>(factory::getMongoDatabase, () -> isFixed(factory), factory::getMongoDatabase,
				() -> clientOf(factory), factory);
	}

	static boolean isFixed(Object factory) {
		return factory.getClass() == SimpleMongoClientDatabaseFactory.class;
	}

	/**
	 * A session tells its client, and asks no server for anything until it is used.
	 */
	private static @Nullable MongoClient clientOf(MongoDatabaseFactory factory) {
		try (ClientSession session = factory.getSession(SESSION)) {
			return (session != null && session.getOriginator() instanceof MongoClient client) ? client : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

}

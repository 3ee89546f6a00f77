package io.github.hilo.autoconfigure;

import com.mongodb.reactivestreams.client.MongoDatabase;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * The default database of reactive callers.
 */
final class ReactiveDatabases {

	private ReactiveDatabases() {
	}

	/**
	 * Resolves the default database for each subscriber, with its context.
	 */
	static Mono<MongoDatabase> defaultOf(ReactiveMongoDatabaseFactory factory) {
		return Mono.defer(factory::getMongoDatabase);
	}

	/**
	 * Whether that is always the same database.
	 */
	static boolean isFixed(ReactiveMongoDatabaseFactory factory) {
		return factory.getClass() == SimpleReactiveMongoDatabaseFactory.class;
	}

}

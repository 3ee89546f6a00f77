package io.github.hilo.autoconfigure;

import com.mongodb.ClientSessionOptions;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.mongodb.Databases;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * The databases of factories of the reactive driver.
 */
final class ReactiveDatabases {

	private static final ClientSessionOptions SESSION = ClientSessionOptions.builder().build();

	private ReactiveDatabases() {
	}

	static DefaultFactory<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory> defaultFactory(BeanFactory beans) {
		return new DefaultFactory<>(beans, ReactiveMongoTemplate.class, ReactiveMongoTemplate::getMongoDatabaseFactory,
				ReactiveMongoDatabaseFactory.class, (factory) -> clientOf(factory).toFuture().getNow(null));
	}

	/**
	 * The default databases: without a default one, others are those of the only client.
	 */
	static Databases<Mono<MongoDatabase>, Mono<MongoClient>> ofDefault(BeanFactory beans) {
		DefaultFactory<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory> factory = defaultFactory(beans);
		return new Databases<>(() -> factory.get().getMongoDatabase(),
				() -> factory.isFixed(ReactiveDatabases::isFixed),
				(name) -> factory.is((found) -> true) ? factory.get().getMongoDatabase(name)
						: Mono.just(beans.getBean(MongoClient.class).getDatabase(name)),
				() -> factory.is((found) -> true) ? clientOf(factory.get()) : Mono.empty(), null);
	}

	static Databases<Mono<MongoDatabase>, Mono<MongoClient>> of(ReactiveMongoDatabaseFactory factory) {
		return new Databases<>(factory::getMongoDatabase, () -> isFixed(factory), factory::getMongoDatabase,
				() -> clientOf(factory), factory);
	}

	static boolean isFixed(Object factory) {
		return factory.getClass() == SimpleReactiveMongoDatabaseFactory.class;
	}

	/**
	 * A session tells its client, and asks no server for anything until it is used.
	 */
	private static Mono<MongoClient> clientOf(ReactiveMongoDatabaseFactory factory) {
		return Mono.defer(() -> factory.getSession(SESSION)).onErrorComplete().mapNotNull((session) -> {
			session.close();
			return (session.getOriginator() instanceof MongoClient client) ? client : null;
		});
	}

}

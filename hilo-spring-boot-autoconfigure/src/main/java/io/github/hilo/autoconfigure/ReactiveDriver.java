package io.github.hilo.autoconfigure;

import com.mongodb.connection.ClusterSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.ReactiveMongoClusterCapable;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * The reactive driver.
 */
final class ReactiveDriver
		implements Driver<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, MongoClient, Mono<MongoDatabase>> {

	@Override
	public Class<ReactiveMongoTemplate> templateType() {
		return ReactiveMongoTemplate.class;
	}

	@Override
	public @Nullable ReactiveMongoDatabaseFactory factoryOf(ReactiveMongoTemplate template) {
		return template.getMongoDatabaseFactory();
	}

	@Override
	public Class<ReactiveMongoDatabaseFactory> factoryType() {
		return ReactiveMongoDatabaseFactory.class;
	}

	@Override
	public Class<SimpleReactiveMongoDatabaseFactory> fixedFactoryType() {
		return SimpleReactiveMongoDatabaseFactory.class;
	}

	@Override
	public Mono<MongoDatabase> currentDatabase(ReactiveMongoDatabaseFactory factory) {
		return factory.getMongoDatabase();
	}

	@Override
	public Mono<MongoDatabase> namedDatabase(ReactiveMongoDatabaseFactory factory, String name) {
		return factory.getMongoDatabase(name);
	}

	@Override
	public Class<?> clusterCapableType() {
		return ReactiveMongoClusterCapable.class;
	}

	@Override
	public @Nullable Object clientOf(Object clusterCapable) {
		return ((ReactiveMongoClusterCapable) clusterCapable).getMongoCluster();
	}

	@Override
	public Class<MongoClient> clientType() {
		return MongoClient.class;
	}

	@Override
	public ClusterSettings clusterOf(MongoClient client) {
		return client.getClusterDescription().getClusterSettings();
	}

	@Override
	public Mono<MongoDatabase> databaseOf(MongoClient client, String name) {
		return Mono.just(client.getDatabase(name));
	}

}

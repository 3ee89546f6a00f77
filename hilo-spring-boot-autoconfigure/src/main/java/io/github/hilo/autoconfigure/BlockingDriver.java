package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.MongoClusterCapable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/**
 * The synchronous driver.
 */
final class BlockingDriver implements Driver<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> {

	@Override
	public Class<MongoTemplate> templateType() {
		return MongoTemplate.class;
	}

	@Override
	public @Nullable MongoDatabaseFactory factoryOf(MongoTemplate template) {
		return template.getMongoDatabaseFactory();
	}

	@Override
	public Class<MongoDatabaseFactory> factoryType() {
		return MongoDatabaseFactory.class;
	}

	@Override
	public Class<SimpleMongoClientDatabaseFactory> fixedFactoryType() {
		return SimpleMongoClientDatabaseFactory.class;
	}

	@Override
	public MongoDatabase currentDatabase(MongoDatabaseFactory factory) {
		return factory.getMongoDatabase();
	}

	@Override
	public MongoDatabase namedDatabase(MongoDatabaseFactory factory, String name) {
		return factory.getMongoDatabase(name);
	}

	@Override
	public Class<?> clusterCapableType() {
		return MongoClusterCapable.class;
	}

	@Override
	public @Nullable Object clientOf(Object clusterCapable) {
		return ((MongoClusterCapable) clusterCapable).getMongoCluster();
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
	public MongoDatabase databaseOf(MongoClient client, String name) {
		return client.getDatabase(name);
	}

}

package io.github.hilo.benchmarks;

import java.util.Map;
import java.util.function.Function;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.autoconfigure.HiLoAutoConfiguration;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.MongoConverter;

/**
 * An application with the starter's beans, and a server of its own.
 */
final class Application implements AutoCloseable {

	private final MongoServer server = new MongoServer(new MemoryBackend());

	private final MongoClient client = MongoClients.create(this.server.bindAndGetConnectionString());

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	/**
	 * Starts an application.
	 * @param factory makes the factory of its database
	 * @param properties its properties
	 * @param templates the databases of its templates, if it has any
	 */
	Application(Function<MongoClient, MongoDatabaseFactory> factory, Map<String, Object> properties,
			String... templates) {
		this.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("benchmark", properties));
		this.context.registerBean(MongoDatabaseFactory.class, () -> factory.apply(this.client));
		MappingMongoConverter converter = SaveBenchmark.converter();
		this.context.registerBean(MongoConverter.class, () -> converter);
		for (String database : templates) {
			this.context.registerBean(database, MongoTemplate.class,
					() -> new MongoTemplate(new SimpleMongoClientDatabaseFactory(this.client, database), converter));
		}
		this.context.register(HiLoAutoConfiguration.class);
		this.context.refresh();
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	MongoTemplate template(String database) {
		return this.context.getBean(database, MongoTemplate.class);
	}

	@Override
	public void close() {
		this.context.close();
		this.client.close();
		this.server.shutdownNow();
	}

}

package io.github.hilo.sample.embedded;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * A MongoDB stand-in within this process, so that the shop runs without any setting. It
 * gives way to a server that is configured or that other connection details name, such as
 * a container's. Those come from an auto-configuration, so this has to be one, too: the
 * application's own classes are read before them.
 */
@AutoConfiguration(before = MongoAutoConfiguration.class)
@Conditional(EmbeddedMongoAutoConfiguration.OnNoServer.class)
@ConditionalOnMissingBean(MongoConnectionDetails.class)
class EmbeddedMongoAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedMongoAutoConfiguration.class);

	private static final String IN_MEMORY = "memory";

	@Bean(destroyMethod = "shutdown")
	MongoServer embeddedMongoServer(@Value("${sample.data}") String data) {
		if (data.equals(IN_MEMORY)) {
			logger.info("The data is in memory and ends with the shop");
			return started(new MemoryBackend());
		}
		DataFile file = new DataFile(Path.of(data).toAbsolutePath());
		MongoServer server = started(file.open());
		logger.info("The data is in {}", file.path());
		return server;
	}

	@Bean
	MongoConnectionDetails embeddedMongoConnectionDetails(MongoServer server) {
		ConnectionString address = new ConnectionString(server.getConnectionString());
		return () -> address;
	}

	/**
	 * Makes the server stop after the client, and so after the generator has returned its
	 * unused ranges: the client gets the server's address from a customizer, and Spring
	 * records no dependency on those.
	 */
	@Bean
	static AbstractDependsOnBeanFactoryPostProcessor mongoClientDependsOnEmbeddedServer() {
		return new AbstractDependsOnBeanFactoryPostProcessor(MongoClient.class, MongoServer.class) {
		};
	}

	private static MongoServer started(MongoBackend backend) {
		MongoServer server = new MongoServer(new GreetingBackend(backend));
		server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		return server;
	}

	/**
	 * Matches where no MongoDB server is configured.
	 */
	static class OnNoServer extends NoneNestedConditions {

		OnNoServer() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty("spring.mongodb.uri")
		static class Uri {

		}

		@ConditionalOnProperty("spring.mongodb.host")
		static class Host {

		}

	}

}

package io.github.hilo.sample.demo;

import java.util.Map;

import com.mongodb.client.MongoClient;
import io.github.hilo.sample.ShopApplication;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.tomcat.autoconfigure.metrics.TomcatMetricsAutoConfiguration;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * A second shop that the page starts and ends. It stands for a process: it has a port, a
 * generator and a node tag of its own, and shares nothing with this one but MongoDB.
 * <p>
 * The server's address is this shop's bean, so that neither it nor a password in it
 * becomes an argument. Starting and ending take turns.
 */
@Component
class SecondShop {

	private final ApplicationArguments arguments;

	private final MongoConnectionDetails connection;

	private final MongoDatabaseFactory databases;

	private final String nodeTag;

	private final boolean allowed;

	private volatile @Nullable ServletWebServerApplicationContext running;

	SecondShop(ApplicationArguments arguments, MongoConnectionDetails connection, MongoDatabaseFactory databases,
			@Value("${hilo.node-tag:A}") String nodeTag, @Value("${sample.second}") boolean allowed) {
		this.arguments = arguments;
		this.connection = connection;
		this.databases = databases;
		this.nodeTag = nodeTag;
		// Bean definitions that were made ahead of time would start another embedded
		// server.
		this.allowed = allowed && !AotDetector.useGeneratedArtifacts();
	}

	boolean isAllowed() {
		return this.allowed;
	}

	/**
	 * Where it answers, or {@code null} while there is none.
	 */
	@Nullable String address() {
		ServletWebServerApplicationContext shop = this.running;
		return (shop != null) ? "http://localhost:" + webServerOf(shop).getPort() : null;
	}

	/**
	 * Starts it unless it runs.
	 */
	synchronized void start() {
		if (!this.allowed) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "This shop starts no other.");
		}
		if (this.running != null) {
			return;
		}
		Thread caller = Thread.currentThread();
		ClassLoader loader = caller.getContextClassLoader();
		// The caller's belongs to this shop's web server, and a shop has to end without
		// the other's.
		caller.setContextClassLoader(ShopApplication.class.getClassLoader());
		try {
			this.running = (ServletWebServerApplicationContext) new SpringApplicationBuilder(ShopApplication.class)
				.initializers(this::prepare)
				// It would close a shop that was killed when the JVM ends.
				.registerShutdownHook(false)
				.run(this.arguments.getSourceArgs());
		}
		catch (RuntimeException ex) {
			throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR,
					"The second shop did not start. The log says why.", ex);
		}
		finally {
			caller.setContextClassLoader(loader);
		}
	}

	private void prepare(ConfigurableApplicationContext shop) {
		Map<String, Object> own = Map.of("server.port", 0, "server.address", "127.0.0.1", "hilo.node-tag",
				SecondNode.tagAfter(this.nodeTag), "spring.mongodb.database",
				this.databases.getMongoDatabase().getName(), "sample.second", false,
				// Both are static, and so they would keep a shop that has ended.
				"management.metrics.use-global-registry", false, "spring.autoconfigure.exclude",
				TomcatMetricsAutoConfiguration.class.getName());
		shop.getEnvironment().getPropertySources().addFirst(new MapPropertySource("second", own));
		shop.getBeanFactory().registerSingleton("firstShopsConnection", this.connection);
	}

	/**
	 * Ends it as a process ends that is told to: it returns its unused numbers.
	 */
	@PreDestroy
	synchronized void stop() {
		ServletWebServerApplicationContext shop = this.running;
		if (shop != null) {
			this.running = null;
			shop.close();
		}
	}

	/**
	 * Ends it as a process ends that is killed: its unused numbers become a gap. Its
	 * context is not closed, because closing returns them. Without its client, which goes
	 * first, nothing of it reaches MongoDB any more, whatever a thread of it was about to
	 * do; without its web server nobody reaches it. What then still runs are a few daemon
	 * threads of the generator, which end when they have been idle for a minute. Then its
	 * memory can be freed.
	 */
	synchronized void kill() {
		ServletWebServerApplicationContext shop = this.running;
		if (shop != null) {
			this.running = null;
			shop.getBean(MongoClient.class).close();
			webServerOf(shop).stop();
			webServerOf(shop).destroy();
			// Those that listen to the JVM and to the log would keep it, too.
			for (String meters : shop.getBeanNamesForType(MeterBinder.class)) {
				shop.getBeanFactory().destroyBean(meters, shop.getBean(meters));
			}
		}
	}

	private static WebServer webServerOf(ServletWebServerApplicationContext shop) {
		WebServer server = shop.getWebServer();
		if (server == null) {
			throw new IllegalStateException("The second shop has no web server");
		}
		return server;
	}

}

package io.github.hilo.sample;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.mongodb.ConnectionString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells the page what the actuator does not: which server this shop is on, where the
 * counters stand there, and how to start a second shop.
 */
@RestController
class NodeController {

	/** More than the page can show. */
	private static final int MAX_COUNTERS = 100;

	private final String nodeTag;

	private final MongoConnectionDetails connection;

	private final MongoDatabaseFactory databases;

	private final Environment environment;

	private final MongoOperations mongo;

	private final String counters;

	private final SecondShop running;

	NodeController(@Value("${hilo.node-tag:A}") String nodeTag,
			@Value("${hilo.counter.collection:@hilo}") String counters, MongoConnectionDetails connection,
			MongoDatabaseFactory databases, Environment environment, MongoOperations mongo, SecondShop running) {
		this.nodeTag = nodeTag;
		this.connection = connection;
		this.databases = databases;
		this.environment = environment;
		this.mongo = mongo;
		this.counters = counters;
		this.running = running;
	}

	@GetMapping("/node")
	Node node() {
		ConnectionString server = this.connection.getConnectionString();
		String database = this.databases.getMongoDatabase().getName();
		int port = this.environment.getRequiredProperty("local.server.port", Integer.class);
		return new Node(this.nodeTag, database, server.getHosts(),
				SecondNode.beside(port, this.nodeTag, server, database), this.running.isAllowed(),
				this.running.address());
	}

	/**
	 * Shows the counters of all processes, by the names of their documents.
	 */
	@GetMapping("/counters")
	Map<String, Long> counters() {
		return this.mongo.find(new Query().limit(MAX_COUNTERS), Document.class, this.counters)
			.stream()
			.filter((counter) -> counter.get("Max") instanceof Number)
			.collect(Collectors.toMap((counter) -> String.valueOf(counter.get("_id")),
					(counter) -> counter.get("Max", Number.class).longValue()));
	}

	/**
	 * This shop. Of its server's address it has hosts alone, never a user or a password.
	 *
	 * @param nodeTag tag at the end of its document ids
	 * @param database where its documents are
	 * @param hosts its server's hosts
	 * @param second how to start another shop on the same server
	 * @param startsSecond whether this shop can start the other itself
	 * @param running where the one answers that it started, or {@code null}
	 */
	record Node(String nodeTag, String database, List<String> hosts, SecondNode second, boolean startsSecond,
			@Nullable String running) {
	}

}

package io.github.hilo.sample;

import java.util.List;

import com.mongodb.ConnectionString;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells the page what the actuator does not: which server this shop is on, and how to
 * start a second shop there.
 */
@RestController
class NodeController {

	private final String nodeTag;

	private final MongoConnectionDetails connection;

	private final MongoDatabaseFactory databases;

	private final Environment environment;

	NodeController(@Value("${hilo.node-tag:A}") String nodeTag, MongoConnectionDetails connection,
			MongoDatabaseFactory databases, Environment environment) {
		this.nodeTag = nodeTag;
		this.connection = connection;
		this.databases = databases;
		this.environment = environment;
	}

	@GetMapping("/node")
	Node node() {
		ConnectionString server = this.connection.getConnectionString();
		String database = this.databases.getMongoDatabase().getName();
		int port = this.environment.getRequiredProperty("local.server.port", Integer.class);
		return new Node(this.nodeTag, database, server.getHosts(),
				SecondNode.beside(port, this.nodeTag, server, database));
	}

	/**
	 * This shop. Of its server's address it has hosts alone, never a user or a password.
	 *
	 * @param nodeTag tag at the end of its document ids
	 * @param database where its documents are
	 * @param hosts its server's hosts
	 * @param second another shop on the same server
	 */
	record Node(String nodeTag, String database, List<String> hosts, SecondNode second) {
	}

}

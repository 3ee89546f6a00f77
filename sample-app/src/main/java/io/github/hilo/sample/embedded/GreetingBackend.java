package io.github.hilo.sample.embedded;

import java.time.Clock;
import java.util.Collection;
import java.util.List;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import io.netty.channel.Channel;

/**
 * Adds the command {@code hello} to an embedded server, which knows it by its old name
 * alone. Spring Boot's health check sends it, in this process and in any other that uses
 * the server.
 *
 * @param delegate carries out everything else
 */
record GreetingBackend(MongoBackend delegate) implements MongoBackend {

	private static final String NAME = "hello";

	private static final String OLD_NAME = "isMaster";

	@Override
	public Document handleMessage(MongoMessage message) {
		Document command = message.getDocument();
		String name = command.keySet().iterator().next();
		return name.equals(NAME) ? handleCommand(message.getChannel(), message.getDatabaseName(), name, command)
				: this.delegate.handleMessage(message);
	}

	@Override
	public Document handleCommand(Channel channel, String database, String name, Document command) {
		if (!name.equals(NAME)) {
			return this.delegate.handleCommand(channel, database, name, command);
		}
		Document answer = this.delegate.handleCommand(channel, database, OLD_NAME, command);
		answer.put("isWritablePrimary", true);
		return answer;
	}

	@Override
	public QueryResult handleQuery(MongoQuery query) {
		return this.delegate.handleQuery(query);
	}

	@Override
	public void handleClose(Channel channel) {
		this.delegate.handleClose(channel);
	}

	@Override
	public void dropDatabase(String database) {
		this.delegate.dropDatabase(database);
	}

	@Override
	public Collection<Document> getCurrentOperations(MongoQuery query) {
		return this.delegate.getCurrentOperations(query);
	}

	@Override
	public Document getServerStatus() {
		return this.delegate.getServerStatus();
	}

	@Override
	public void close() {
		this.delegate.close();
	}

	@Override
	public void closeCursors(List<Long> cursors) {
		this.delegate.closeCursors(cursors);
	}

	@Override
	public Clock getClock() {
		return this.delegate.getClock();
	}

	@Override
	public void enableOplog() {
		this.delegate.enableOplog();
	}

	@Override
	public void disableOplog() {
		this.delegate.disableOplog();
	}

	@Override
	public MongoDatabase resolveDatabase(String database) {
		return this.delegate.resolveDatabase(database);
	}

	@Override
	public MongoBackend version(MongoVersion version) {
		return new GreetingBackend(this.delegate.version(version));
	}

}

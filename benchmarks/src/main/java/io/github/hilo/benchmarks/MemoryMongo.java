package io.github.hilo.benchmarks;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/**
 * A server in this process that keeps everything in memory.
 */
final class MemoryMongo implements AutoCloseable {

	private final MongoServer server = new MongoServer(new MemoryBackend());

	private final String uri = this.server.bindAndGetConnectionString();

	String uri() {
		return this.uri;
	}

	@Override
	public void close() {
		this.server.shutdownNow();
	}

}

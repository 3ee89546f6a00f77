package io.github.hilo.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import org.bson.Document;

/**
 * A new MongoDB server in this process, and a client that sees it from a distance.
 */
final class DelayedServer implements AutoCloseable {

	private static final Document PING = new Document("ping", 1);

	private final MongoServer server = new MongoServer(new MemoryBackend());

	private final DelayingProxy proxy;

	private final MongoClient remote;

	private final MongoClient local;

	/**
	 * Starts a server.
	 * @param oneWay how long each direction takes
	 * @param connections how many connections the client may have and open at once
	 */
	DelayedServer(Duration oneWay, int connections) throws IOException {
		this(oneWay, connections, List.of());
	}

	/**
	 * Starts a server.
	 * @param listeners what hears of each command from a distance
	 */
	DelayedServer(Duration oneWay, int connections, List<CommandListener> listeners) throws IOException {
		InetSocketAddress address = this.server.bind();
		this.proxy = new DelayingProxy(address, oneWay);
		this.remote = connect(new InetSocketAddress(address.getAddress(), this.proxy.port()), connections, listeners);
		this.local = connect(address, 1, List.of());
		openConnections(connections);
	}

	/**
	 * An application that serves requests has its connections by then.
	 */
	private void openConnections(int connections) {
		CompletableFuture
			.allOf(Stream.generate(() -> CompletableFuture.runAsync(() -> database().runCommand(PING)))
				.limit(connections)
				.toArray(CompletableFuture[]::new))
			.join();
	}

	private static MongoClient connect(InetSocketAddress address, int connections, List<CommandListener> listeners) {
		return MongoClients.create(MongoClientSettings.builder()
			.applyToClusterSettings((cluster) -> cluster.hosts(List.of(new ServerAddress(address))))
			.applyToConnectionPoolSettings((pool) -> pool.maxSize(connections).maxConnecting(connections))
			.commandListenerList(listeners)
			.build());
	}

	/**
	 * The database, from a distance.
	 */
	MongoDatabase database() {
		return this.remote.getDatabase("shop");
	}

	/**
	 * The same database, without the distance.
	 */
	MongoDatabase nearby() {
		return this.local.getDatabase("shop");
	}

	/**
	 * Measures the median of a few round trips.
	 */
	long roundTripNanos() {
		long[] nanos = new long[9];
		for (int i = 0; i < nanos.length; i++) {
			long start = System.nanoTime();
			database().runCommand(PING);
			nanos[i] = System.nanoTime() - start;
		}
		Arrays.sort(nanos);
		return nanos[nanos.length / 2];
	}

	@Override
	public void close() throws IOException {
		this.remote.close();
		this.local.close();
		this.proxy.close();
		this.server.shutdownNow();
	}

}

package io.github.hilo.internal.mongodb;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which clients lead to one cluster.
 * <p>
 * Thread-safe: {@code byClient} is a concurrent map, {@code defaultIsFound} is volatile,
 * the lock of this object guards {@code byHost} and {@code divided}, and all other fields
 * are final.
 */
public final class Clusters {

	private static final Logger logger = LoggerFactory.getLogger(Clusters.class);

	// More clients than an application has at a time.
	private static final int MOST_CLIENTS = 1_000;

	private final Duration timeout;

	private final TimeSource time;

	private final Tasks tasks;

	private final Supplier<@Nullable ClusterSettings> defaultSettings;

	private final Cluster defaultCluster;

	// In the order in which the clusters were first used. Grows with the hosts that the
	// application's clients list.
	private final Map<String, Cluster> byHost = new LinkedHashMap<>();

	// The hosts of which it was logged that they are of several clusters.
	private final Set<Set<String>> divided = new HashSet<>();

	// Whether a factory has led to the cluster of the default database.
	private volatile boolean defaultIsFound;

	// By the identity of settings, because to hash them takes longer than the rest of a
	// call.
	private final Map<Integer, ClientCluster> byClient = new ConcurrentHashMap<>();

	/**
	 * @param timeout {@code hilo.timeout}
	 * @param defaultSettings returns the settings of the default database's cluster, or
	 * {@code null} if the database does not tell them; the first result counts
	 */
	public Clusters(Duration timeout, TimeSource time, Tasks tasks,
			Supplier<@Nullable ClusterSettings> defaultSettings) {
		this.timeout = timeout;
		this.time = time;
		this.tasks = tasks;
		this.defaultSettings = defaultSettings;
		this.defaultCluster = Cluster.ofDefault(timeout, time, tasks);
	}

	/**
	 * Returns the cluster of a client.
	 * @param settings the client's, or {@code null} for the only client
	 */
	public Cluster clusterOf(@Nullable ClusterSettings settings) {
		if (settings == null) {
			if (!this.defaultIsFound) {
				this.defaultIsFound = true;
			}
			return this.defaultCluster;
		}
		int identity = System.identityHashCode(settings);
		ClientCluster client = this.byClient.get(identity);
		if (client != null && client.settings().refersTo(settings)) {
			return client.cluster();
		}
		// Not under a lock, because the search for the default database may create beans.
		Cluster cluster = find(this.defaultSettings.get(), settings);
		if (this.byClient.size() >= MOST_CLIENTS) {
			this.byClient.clear();
		}
		this.byClient.put(identity, new ClientCluster(new WeakReference<>(settings), cluster));
		return cluster;
	}

	/**
	 * Returns whether a factory leads to a cluster now.
	 */
	public boolean leadsTo(DatabaseFactory<?> factory, Cluster cluster) {
		return cluster.equals(clusterOf(factory.cluster()));
	}

	/**
	 * Returns the cluster of some settings. The default's cluster never changes, even if
	 * the client of the default database is replaced by one of another cluster, because
	 * numbers that were reserved in one cluster must not be issued in another.
	 */
	private synchronized Cluster find(@Nullable ClusterSettings ofDefault, ClusterSettings settings) {
		if (ofDefault != null && !this.defaultIsFound) {
			this.defaultIsFound = join(ofDefault, (hosts) -> this.defaultCluster).equals(this.defaultCluster);
		}
		return join(settings, (hosts) -> Cluster.of(hosts, this.timeout, this.time, this.tasks));
	}

	/**
	 * Returns the first cluster that has a host of a client. The client's other hosts
	 * belong to that cluster, too, unless they belong to another one: a client must not
	 * change its cluster, because it may hold numbers.
	 */
	private Cluster join(ClusterSettings client, Function<Set<String>, Cluster> unknown) {
		Set<String> hosts = Cluster.hosts(client);
		Set<Cluster> known = hosts.stream()
			.flatMap((host) -> Stream.ofNullable(this.byHost.get(host)))
			.collect(Collectors.toSet());
		Cluster joined = this.byHost.values()
			.stream()
			.filter(known::contains)
			.findFirst()
			.orElseGet(() -> unknown.apply(hosts));
		hosts.forEach((host) -> this.byHost.putIfAbsent(host, joined));
		if (known.size() > 1 && this.divided.add(hosts)) {
			logger.warn("The hosts {} of one client are of several clusters, because other clients listed only some of"
					+ " them before. The client counts with the first of these clusters. An id that the application"
					+ " chooses through a client of another one may be issued, and replace its document. List the"
					+ " same hosts in all clients of a cluster", hosts);
		}
		return joined;
	}

	/**
	 * Ends the threads for commands as soon as they are idle.
	 */
	public synchronized void close() {
		this.defaultCluster.close();
		this.byHost.values().forEach(Cluster::close);
	}

	/**
	 * The cluster of a client, which keeps its settings all its life. A proxy has other
	 * settings as soon as its client is replaced.
	 */
	private record ClientCluster(WeakReference<ClusterSettings> settings, Cluster cluster) {
	}

}

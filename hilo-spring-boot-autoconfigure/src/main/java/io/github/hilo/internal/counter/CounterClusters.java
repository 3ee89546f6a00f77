package io.github.hilo.internal.counter;

import java.lang.ref.WeakReference;
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
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.FactoryDatabases;
import io.github.hilo.internal.mongodb.TaskTimer;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the stores of all databases share, whichever driver they use: the settings, the
 * threads, the grants, and the clusters.
 * <p>
 * Thread-safe: {@code databases}, {@code elsewhere} and {@code known} are concurrent
 * maps, {@code homeFound} is volatile, the lock of this object guards {@code clusters}
 * and {@code divided}, and all other fields are final.
 */
public final class CounterClusters {

	private static final Logger logger = LoggerFactory.getLogger(CounterClusters.class);

	// More clients than an application has at a time.
	private static final int MAX_KNOWN = 1_000;

	private final CounterSettings settings;

	private final TimeSource time;

	private final Supplier<@Nullable ClusterSettings> home;

	private final Map<String, DatabaseCounters> databases = new ConcurrentHashMap<>();

	// The stores of databases that are not in the default's cluster.
	private final Map<String, MongoRangeStore> elsewhere = new ConcurrentHashMap<>();

	private final TaskTimer tasks = new TaskTimer();

	private final Cluster homeCluster;

	// By host, in the order in which the clusters were first used. The lock of this
	// object guards this map and the next set.
	private final Map<String, Cluster> clusters = new LinkedHashMap<>();

	// The hosts of which it was logged that they are of several clusters.
	private final Set<Set<String>> divided = new HashSet<>();

	// Whether a factory has led to the cluster of the default database.
	private volatile boolean homeFound;

	// By the identity of settings, because to hash them takes longer than the rest of a
	// call.
	private final Map<Integer, Known> known = new ConcurrentHashMap<>();

	private final Supplier<BsonValue> grants = new Grants();

	/**
	 * @param home returns the settings of the default database's cluster, or {@code null}
	 * if the database does not tell them; the first result counts
	 */
	public CounterClusters(CounterSettings settings, TimeSource time, Supplier<@Nullable ClusterSettings> home) {
		this.settings = settings;
		this.time = time;
		this.home = home;
		this.homeCluster = Cluster.home(settings.timeout(), time, this.tasks);
	}

	/**
	 * @param client tells the stores of one client from those of others
	 * @param kept whether the client stays as long as the application
	 */
	MongoRangeStore store(String name, Cluster cluster, Object client, boolean kept, Commands commands) {
		String database = name.concat(cluster.suffix());
		DatabaseCounters context = this.databases.get(database);
		if (context == null) {
			Names.requireDatabase(name);
			context = this.databases.computeIfAbsent(database,
					(absent) -> new DatabaseCounters(absent, this.settings, this.time, this.grants));
		}
		MongoRangeStore store = new MongoRangeStore(context, client, kept, commands);
		if (!cluster.suffix().isEmpty()) {
			this.elsewhere.merge(database, store, (known, latest) -> known.isKept() && !kept ? known : latest);
		}
		return store;
	}

	void letGo(String database) {
		this.elsewhere.computeIfPresent(database, (absent, store) -> store.isKept() ? store : null);
	}

	@Nullable MongoRangeStore elsewhere(String database) {
		return this.elsewhere.get(database);
	}

	Cluster clusterOf(FactoryDatabases<?> databases) {
		return clusterOf(databases.cluster().get());
	}

	/**
	 * Returns the cluster of a client.
	 * @param settings the client's, or {@code null} for the only client
	 */
	Cluster clusterOf(@Nullable ClusterSettings settings) {
		if (settings == null) {
			if (!this.homeFound) {
				this.homeFound = true;
			}
			return this.homeCluster;
		}
		int identity = System.identityHashCode(settings);
		Known known = this.known.get(identity);
		if (known != null && known.settings().refersTo(settings)) {
			return known.cluster();
		}
		// Not under a lock, because the search for the default database may create beans.
		Cluster cluster = find(this.home.get(), settings);
		if (this.known.size() >= MAX_KNOWN) {
			this.known.clear();
		}
		this.known.put(identity, new Known(new WeakReference<>(settings), cluster));
		return cluster;
	}

	/**
	 * Returns the cluster of some settings. The default's cluster never changes, even if
	 * the client of the default database is replaced by one of another cluster, because
	 * numbers that were reserved in one cluster must not be issued in another.
	 */
	private synchronized Cluster find(@Nullable ClusterSettings home, ClusterSettings settings) {
		if (home != null && !this.homeFound) {
			this.homeFound = join(home, (hosts) -> this.homeCluster).equals(this.homeCluster);
		}
		return join(settings, (hosts) -> Cluster.of(hosts, this.settings.timeout(), this.time, this.tasks));
	}

	/**
	 * Returns the first cluster that has a host of a client. The client's other hosts
	 * belong to that cluster, too, unless they belong to another one: a client must not
	 * change its cluster, because it may hold numbers.
	 */
	private Cluster join(ClusterSettings client, Function<Set<String>, Cluster> unknown) {
		Set<String> hosts = Cluster.hosts(client);
		Set<Cluster> known = hosts.stream()
			.flatMap((host) -> Stream.ofNullable(this.clusters.get(host)))
			.collect(Collectors.toSet());
		Cluster joined = this.clusters.values()
			.stream()
			.filter(known::contains)
			.findFirst()
			.orElseGet(() -> unknown.apply(hosts));
		hosts.forEach((host) -> this.clusters.putIfAbsent(host, joined));
		if (known.size() > 1 && this.divided.add(hosts)) {
			logger.warn("The hosts {} of one client are of several clusters, because other clients listed only some of"
					+ " them before. The client counts with the first of these clusters. An id that the application"
					+ " chooses through a client of another one may be issued, and replace its document. List the"
					+ " same hosts in all clients of a cluster", hosts);
		}
		return joined;
	}

	CounterSettings settings() {
		return this.settings;
	}

	TaskTimer tasks() {
		return this.tasks;
	}

	/**
	 * Ends the threads for tasks as soon as they are idle. Tasks that come later still
	 * run, but no command is sent any more.
	 */
	synchronized void close() {
		this.homeCluster.close();
		this.clusters.values().forEach(Cluster::close);
		this.tasks.close();
	}

	/**
	 * The cluster of a client, which keeps its settings all its life. A proxy has other
	 * settings as soon as its client is replaced.
	 */
	private record Known(WeakReference<ClusterSettings> settings, Cluster cluster) {
	}

}

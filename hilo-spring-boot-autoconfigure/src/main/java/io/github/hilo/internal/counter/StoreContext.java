package io.github.hilo.internal.counter;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.Databases;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.mongodb.TaskTimer;
import io.github.hilo.internal.store.StoreSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What the stores of all databases share, whichever driver they use: the settings, the
 * threads, the grants, and the clusters.
 * <p>
 * Thread-safe: the maps are concurrent or synchronized, and all fields are final.
 */
public final class StoreContext {

	private static final Object UNIDENTIFIED = "";

	private final StoreSettings settings;

	private final TimeSource time;

	private final Supplier<@Nullable ClusterSettings> home;

	private final Map<String, DatabaseContext> databases = new ConcurrentHashMap<>();

	// The stores of databases that are not in the default's cluster.
	private final Map<String, MongoRangeStore> elsewhere = new ConcurrentHashMap<>();

	private final Cluster homeCluster = Cluster.home();

	// By identity. The cluster of the default database is added when its identity is
	// found, or as UNIDENTIFIED when a factory first does not tell its cluster.
	private final Map<Object, Cluster> clusters = new ConcurrentHashMap<>();

	private final Map<ClusterSettings, Cluster> bySettings = Collections.synchronizedMap(new WeakHashMap<>());

	private final TaskTimer tasks = new TaskTimer();

	private final Supplier<BsonValue> grants = new Grants();

	/**
	 * @param home returns the settings of the default database's cluster, or {@code null}
	 * if the database does not tell them; the first result counts
	 */
	public StoreContext(StoreSettings settings, TimeSource time, Supplier<@Nullable ClusterSettings> home) {
		this.settings = settings;
		this.time = time;
		this.home = home;
	}

	MongoRangeStore store(String name, Cluster cluster, StoreCommands commands) {
		String database = name.concat(cluster.suffix());
		DatabaseContext context = this.databases.get(database);
		if (context == null) {
			Names.requireDatabase(name);
			context = this.databases.computeIfAbsent(database, (absent) -> new DatabaseContext(absent, this.settings,
					this.time, this.grants, new ServerPrefix(this.time), ConcurrentHashMap.newKeySet()));
		}
		MongoRangeStore store = new MongoRangeStore(context, commands);
		if (!cluster.suffix().isEmpty()) {
			this.elsewhere.put(database, store);
		}
		return store;
	}

	@Nullable MongoRangeStore elsewhere(String database) {
		return this.elsewhere.get(database);
	}

	Cluster clusterOf(Databases<?> databases) {
		ClusterSettings settings = databases.cluster().get();
		if (settings == null) {
			this.clusters.putIfAbsent(UNIDENTIFIED, this.homeCluster);
			return this.homeCluster;
		}
		Cluster cluster = this.bySettings.get(settings);
		if (cluster == null) {
			// Not under a lock, because the search for the default database may create
			// beans.
			cluster = find(this.home.get(), settings);
			this.bySettings.put(settings, cluster);
		}
		return cluster;
	}

	/**
	 * Returns the cluster of some settings. The default's cluster never changes, even if
	 * the client of the default database is replaced by one of another cluster, because
	 * numbers that were reserved in one cluster must not be issued in another.
	 */
	private synchronized Cluster find(@Nullable ClusterSettings home, ClusterSettings settings) {
		if (home != null && !this.clusters.containsValue(this.homeCluster)) {
			this.clusters.putIfAbsent(Cluster.identity(home), this.homeCluster);
		}
		return this.clusters.computeIfAbsent(Cluster.identity(settings), (absent) -> Cluster.of(settings));
	}

	StoreSettings settings() {
		return this.settings;
	}

	TaskTimer tasks() {
		return this.tasks;
	}

	/**
	 * Ends the threads for tasks as soon as they are idle. Tasks that come later still
	 * run, but no command is sent any more.
	 */
	void close() {
		this.homeCluster.close();
		this.clusters.values().forEach(Cluster::close);
		this.tasks.close();
	}

}

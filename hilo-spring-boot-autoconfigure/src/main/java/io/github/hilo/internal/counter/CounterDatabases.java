package io.github.hilo.internal.counter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.Clusters;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.DatabaseFactory;
import io.github.hilo.internal.mongodb.TaskTimer;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The databases that have counters, and what the stores of all of them share, whichever
 * driver they use.
 * <p>
 * Thread-safe: {@code databases} is a concurrent map, and all fields are final.
 */
public final class CounterDatabases {

	private final CounterSettings settings;

	private final TimeSource time;

	private final TaskTimer tasks = new TaskTimer();

	private final Clusters clusters;

	// By the name of the database and of its cluster. Grows with the databases that the
	// application uses.
	private final Map<String, CounterDatabase> databases = new ConcurrentHashMap<>();

	private final Supplier<BsonValue> grants = new Grants();

	/**
	 * @param ofDefault returns the settings of the default database's cluster, or
	 * {@code null} if the database does not tell them; the first result counts
	 */
	public CounterDatabases(CounterSettings settings, TimeSource time, Supplier<@Nullable ClusterSettings> ofDefault) {
		this.settings = settings;
		this.time = time;
		this.clusters = new Clusters(settings.timeout(), time, this.tasks, ofDefault);
	}

	/**
	 * Returns a store of a database that a factory has resolved. If all callers have a
	 * database of the same name and the factory still leads to the same cluster, each
	 * command resolves the database again, because the client may have been replaced.
	 * @param name the name of the database
	 * @param again resolves the database again
	 * @param commands creates what sends commands to the current database
	 */
	<D> MongoRangeStore storeOf(DatabaseFactory<D> factory, String name, D resolved, Supplier<D> again,
			BiFunction<Cluster, Supplier<D>, Commands> commands) {
		ClusterSettings settings = factory.cluster();
		Cluster cluster = this.clusters.clusterOf(settings);
		// The only client is known by its cluster.
		Object client = (settings != null) ? settings : cluster;
		boolean hasFixedName = factory.hasFixedName();
		Supplier<D> current = () -> (hasFixedName && this.clusters.leadsTo(factory, cluster)) ? again.get() : resolved;
		return new MongoRangeStore(database(name, cluster), client, hasFixedName,
				() -> commands.apply(cluster, current));
	}

	private CounterDatabase database(String name, Cluster cluster) {
		String nameWithCluster = name.concat(cluster.suffix());
		CounterDatabase known = this.databases.get(nameWithCluster);
		if (known != null) {
			return known;
		}
		Names.requireDatabase(name);
		return this.databases.computeIfAbsent(nameWithCluster, (absent) -> new CounterDatabase(absent,
				cluster.suffix().isEmpty(), this.settings, this.time, this.grants));
	}

	/**
	 * Lets a database be found by its name from now on. Returns that name, which contains
	 * the cluster unless that is the default's.
	 */
	public static String registerByName(RangeStore store) {
		return ((MongoRangeStore) store).registerByName();
	}

	/**
	 * Returns the latest store of a database in another cluster than the default's, or
	 * {@code null}. No factory resolves a name with a cluster.
	 */
	@Nullable MongoRangeStore storeInOtherCluster(String nameWithCluster) {
		CounterDatabase known = this.databases.get(nameWithCluster);
		return (known != null && !known.inDefaultCluster()) ? known.fallbackStore().get() : null;
	}

	void letGo(String database) {
		CounterDatabase known = this.databases.get(database);
		if (known != null) {
			known.letGo();
		}
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
	void close() {
		this.clusters.close();
		this.tasks.close();
	}

}

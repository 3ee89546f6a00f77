package io.github.hilo.internal.counter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.Clusters;
import io.github.hilo.internal.mongodb.TaskTimer;
import io.github.hilo.internal.store.CounterSettings;
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

	CounterDatabase database(String name, Cluster cluster) {
		String database = name.concat(cluster.suffix());
		CounterDatabase known = this.databases.get(database);
		if (known != null) {
			return known;
		}
		Names.requireDatabase(name);
		return this.databases.computeIfAbsent(database, (absent) -> new CounterDatabase(absent,
				cluster.suffix().isEmpty(), this.settings, this.time, this.grants));
	}

	/**
	 * Returns a store of a database in another cluster than the default's, of which the
	 * default factory does not know, or {@code null}.
	 */
	@Nullable MongoRangeStore storeInOtherCluster(String database) {
		CounterDatabase known = this.databases.get(database);
		return (known != null && !known.inDefaultCluster()) ? known.lasting().get() : null;
	}

	void letGo(String database) {
		CounterDatabase known = this.databases.get(database);
		if (known != null) {
			known.letGo();
		}
	}

	Clusters clusters() {
		return this.clusters;
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

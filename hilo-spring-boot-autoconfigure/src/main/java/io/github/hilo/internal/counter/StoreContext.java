package io.github.hilo.internal.counter;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.DaemonThreads;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.mongodb.TaskThread;
import io.github.hilo.internal.store.StoreSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the stores of all databases share, whichever driver they use.
 */
public final class StoreContext {

	private static final Logger logger = LoggerFactory.getLogger(StoreContext.class);

	private static final int MOST_TASKS = 64;

	private final StoreSettings settings;

	private final TimeSource time;

	private final Supplier<@Nullable ClusterSettings> home;

	private final Map<String, DatabaseContext> databases = new ConcurrentHashMap<>();

	// The stores of databases that are not in the default's cluster.
	private final Map<String, MongoRangeStore> elsewhere = new ConcurrentHashMap<>();

	private final Cluster homeCluster = Cluster.home();

	private final Map<Object, Cluster> clusters = new ConcurrentHashMap<>();

	// By the settings of a client, or by whose databases they are.
	private final Map<Object, Cluster> known = Collections.synchronizedMap(new WeakHashMap<>());

	private boolean homeIsKnown;

	private final AtomicInteger untold = new AtomicInteger();

	private final ThreadPoolExecutor taskThreads = DaemonThreads.pool("hilo-tasks-", MOST_TASKS);

	private final TaskThread tasks = new TaskThread("hilo-timer-", this.taskThreads);

	// A thread for each scan, which may take minutes.
	private final ExecutorService scans = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), DaemonThreads.named("hilo-scan-"));

	private final Supplier<BsonValue> grants = new Grants();

	/**
	 * Creates what is shared.
	 * @param home tells the cluster of the default database, or answers {@code null} if
	 * it cannot be told; the first answer counts
	 */
	public StoreContext(StoreSettings settings, TimeSource time, Supplier<@Nullable ClusterSettings> home) {
		this.settings = settings;
		this.time = (time == TimeSource.SYSTEM) ? this.tasks : time;
		this.home = home;
	}

	MongoRangeStore store(String name, Cluster cluster, StoreCommands commands) {
		String database = name.concat(cluster.suffix());
		DatabaseContext context = this.databases.get(database);
		if (context == null) {
			Names.requireDatabase(name);
			context = this.databases.computeIfAbsent(database, (absent) -> new DatabaseContext(absent, this.settings,
					this.time, this.tasks, this.grants, new ServerPrefix(this.time), new ConcurrentHashMap<>()));
		}
		MongoRangeStore store = new MongoRangeStore(context, commands);
		if (database.length() > name.length()) {
			this.elsewhere.put(database, store);
		}
		return store;
	}

	@Nullable MongoRangeStore elsewhere(String database) {
		return this.elsewhere.get(database);
	}

	/**
	 * Finds the cluster of databases.
	 * @param origin finds whose databases they are, or {@code null} if they are the
	 * default's where nothing is told
	 */
	Cluster clusterOf(@Nullable ClusterSettings told, Supplier<@Nullable Object> origin) {
		if (told == null) {
			Object whose = origin.get();
			return (whose == null) ? untoldHome() : this.known.computeIfAbsent(whose, this::untold);
		}
		Cluster cluster = this.known.get(told);
		if (cluster == null) {
			// Not under a lock: to find the default database may create beans.
			cluster = find(this.home.get(), told);
			this.known.put(told, cluster);
		}
		return cluster;
	}

	private Cluster untold(Object origin) {
		Cluster own = Cluster.of("untold:" + this.untold.incrementAndGet());
		logger.warn(
				"The cluster of {} cannot be told. Its databases are counted as those of a cluster of its own, {}: let"
						+ " getMongoCluster or getSession lead to its client",
				origin.getClass().getName(), own.suffix());
		return own;
	}

	/**
	 * What does not tell its cluster may be in another one than what does.
	 */
	private synchronized Cluster untoldHome() {
		if (this.clusters.containsValue(this.homeCluster)) {
			throw new IllegalStateException("The cluster of the default database is not told any more. It was told"
					+ " before, and its database may be in another one now. Let getMongoCluster or getSession of its"
					+ " factory lead to the client of the current database, or fail where there is none.");
		}
		this.homeIsKnown = true;
		return this.homeCluster;
	}

	/**
	 * The default's cluster is the first one that it leads to: what was reserved there is
	 * issued nowhere else, should the client be replaced.
	 */
	private synchronized Cluster find(@Nullable ClusterSettings home, ClusterSettings settings) {
		if (!this.homeIsKnown && home != null) {
			this.clusters.putIfAbsent(Cluster.identity(home), this.homeCluster);
			this.homeIsKnown = true;
		}
		return this.clusters.computeIfAbsent(Cluster.identity(settings), (absent) -> Cluster.of(settings));
	}

	StoreSettings settings() {
		return this.settings;
	}

	Executor scans() {
		return this.scans;
	}

	TaskThread tasks() {
		return this.tasks;
	}

	/**
	 * Ends scans, and the threads for tasks as soon as they are idle. Late tasks still
	 * run, commands do not.
	 */
	void close() {
		this.homeCluster.shutdown();
		this.clusters.values().forEach(Cluster::shutdown);
		synchronized (this.known) {
			this.known.values().forEach(Cluster::shutdown);
		}
		this.scans.shutdownNow();
		this.tasks.close();
		this.taskThreads.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
	}

}

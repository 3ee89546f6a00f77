package io.github.hilo.internal.mongodb;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterSettings;

/**
 * A cluster of servers, and the threads that wait for it: a silent one holds none that
 * another needs.
 *
 * @param suffix what follows the name of a database that is not in the default's cluster,
 * or an empty string
 * @param name what the threads are named after
 * @param shared send commands to databases that must be in this cluster
 * @param own send commands to each other database
 */
public record Cluster(String suffix, String name, ThreadPoolExecutor shared, Map<String, ThreadPoolExecutor> own) {

	private static final int MOST_THREADS = 64;

	private Cluster(String suffix, String name) {
		this(suffix, name, DaemonThreads.pool(name, MOST_THREADS), new ConcurrentHashMap<>());
	}

	public static Cluster home() {
		return new Cluster("", "hilo-");
	}

	public static Cluster of(ClusterSettings settings) {
		return of((settings.getSrvHost() != null) ? settings.getSrvHost() : settings.getHosts().get(0).toString());
	}

	public static Cluster of(String host) {
		return new Cluster("@" + host, "hilo-" + host + "-");
	}

	/**
	 * Finds the threads that wait for a database.
	 * @param certain whether it must be in this cluster; otherwise each database may be
	 * led to another client, so each has threads of its own
	 */
	public Executor threadsOf(String database, boolean certain) {
		if (certain) {
			return this.shared;
		}
		ThreadPoolExecutor threads = this.own.get(database);
		return (threads != null) ? threads : this.own.computeIfAbsent(database,
				(absent) -> DaemonThreads.pool(this.name + database + "-", MOST_THREADS));
	}

	/**
	 * Lets the commands under way end, and accepts no more.
	 */
	public void shutdown() {
		this.shared.shutdown();
		this.own.values().forEach(ThreadPoolExecutor::shutdown);
	}

	/**
	 * What tells one cluster from another, as the settings of its clients have it.
	 */
	public static List<Object> identity(ClusterSettings settings) {
		String replicaSet = String.valueOf(settings.getRequiredReplicaSetName());
		return (settings.getSrvHost() != null) ? List.of(settings.getSrvHost(), replicaSet)
				: List.of(settings.getHosts()
					.stream()
					.map(ServerAddress::toString)
					.collect(Collectors.toCollection(TreeSet::new)), replicaSet);
	}

}

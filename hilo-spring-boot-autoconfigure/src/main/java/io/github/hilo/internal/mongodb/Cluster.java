package io.github.hilo.internal.mongodb;

import java.util.List;
import java.util.TreeSet;
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
 * @param threads send commands to its databases
 */
public record Cluster(String suffix, ThreadPoolExecutor threads) {

	private static final int MOST_THREADS = 64;

	private Cluster(String suffix, String name) {
		this(suffix, DaemonThreads.pool(name, MOST_THREADS));
	}

	public static Cluster home() {
		return new Cluster("", "hilo-");
	}

	public static Cluster of(ClusterSettings settings) {
		String host = (settings.getSrvHost() != null) ? settings.getSrvHost() : settings.getHosts().get(0).toString();
		return new Cluster("@" + host, "hilo-" + host + "-");
	}

	/**
	 * Lets the commands under way end, and accepts no more.
	 */
	public void shutdown() {
		this.threads.shutdown();
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

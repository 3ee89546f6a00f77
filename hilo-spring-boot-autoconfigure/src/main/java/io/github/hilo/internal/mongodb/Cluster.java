package io.github.hilo.internal.mongodb;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterSettings;

/**
 * A cluster of servers, with threads of its own, so that a cluster that does not answer
 * keeps no thread that another cluster needs.
 *
 * @param suffix what follows the name of a database in this cluster, or an empty string
 * for the default database's cluster
 * @param threads send commands to the cluster's databases
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
	 * Returns what distinguishes a cluster from others, according to the settings of its
	 * clients.
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

package io.github.hilo.mongodb;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterSettings;

/**
 * A cluster of servers, and the threads that wait for it: a silent one holds none that
 * another needs. Internal.
 *
 * @param suffix what follows the name of a database that is not in the default's cluster,
 * or an empty string
 * @param threads send commands
 * @hidden
 */
public record Cluster(String suffix, ThreadPoolExecutor threads) {

	public static Cluster home() {
		return new Cluster("", DaemonThreads.pool("hilo-"));
	}

	public static Cluster of(ClusterSettings settings) {
		String host = (settings.getSrvHost() != null) ? settings.getSrvHost() : settings.getHosts().get(0).toString();
		return new Cluster("@" + host, DaemonThreads.pool("hilo-" + host + "-"));
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

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
 * @param threads send the commands on counters
 * @param finds sends the commands on other collections, which may be as many as these
 * collections. Where some of them do not answer, the counters still do
 */
public record Cluster(String suffix, ThreadPoolExecutor threads, LatestFirst finds) {

	// So many threads send commands on counters at most, and as many the others.
	private static final int MOST_THREADS = 32;

	private Cluster(String suffix, String name) {
		this(suffix, DaemonThreads.pool(name, MOST_THREADS),
				new LatestFirst(DaemonThreads.pool(name + "find-", MOST_THREADS)));
	}

	/**
	 * Ends the threads as soon as they are idle. No command is sent any more.
	 */
	public void close() {
		this.threads.shutdown();
		this.finds.shutdown();
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

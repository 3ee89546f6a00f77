package io.github.hilo.internal.mongodb;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

	public static Cluster of(Set<String> hosts) {
		String host = hosts.iterator().next();
		return new Cluster("@" + host, "hilo-" + host + "-");
	}

	/**
	 * Returns the hosts that a client lists, the first one first. The hosts of a client
	 * with an SRV name are the driver's default until the name is resolved, so the name
	 * stands for them.
	 */
	public static Set<String> hosts(ClusterSettings settings) {
		String srvHost = settings.getSrvHost();
		return ((srvHost != null) ? Stream.of(srvHost.toLowerCase(Locale.ROOT))
				: settings.getHosts().stream().map(ServerAddress::toString))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

}

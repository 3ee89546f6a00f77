package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.store.TimeSource;

/**
 * A cluster of servers, with threads and queues of its own, so that a cluster that does
 * not answer holds up nothing that another one needs.
 *
 * @param suffix what follows the name of a database in this cluster, or an empty string
 * for the default database's cluster
 * @param threads wait for the answers of the synchronous driver, one thread for each
 * command in flight
 * @param blocking the commands of the synchronous driver
 * @param reactive the commands of the reactive driver
 */
public record Cluster(String suffix, ExecutorService threads, Queues blocking, Queues reactive) {

	/**
	 * Stops the commands that wait, and ends the threads as soon as they are idle.
	 */
	public void close() {
		this.blocking.close();
		this.reactive.close();
		this.threads.shutdown();
	}

	/**
	 * Creates the cluster of the default database.
	 * @param timeout {@code hilo.timeout}
	 */
	public static Cluster ofDefault(Duration timeout, TimeSource time, Tasks tasks) {
		return create("", DaemonThreads.pool("hilo-"), timeout, time, tasks);
	}

	public static Cluster of(Set<String> hosts, Duration timeout, TimeSource time, Tasks tasks) {
		String host = hosts.iterator().next();
		return create("@" + host, DaemonThreads.pool("hilo-" + host + "-"), timeout, time, tasks);
	}

	public static Cluster create(String suffix, ExecutorService threads, Duration timeout, TimeSource time,
			Tasks tasks) {
		Supplier<Queues> queues = () -> new Queues(new CommandQueue(timeout, time, tasks),
				new CommandQueue(timeout, time, tasks));
		return new Cluster(suffix, threads, queues.get(), queues.get());
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

	/**
	 * The commands of one driver. Finds can be as many as collections, so they have a
	 * queue of their own.
	 */
	record Queues(CommandQueue counters, CommandQueue finds) {

		CommandQueue of(Lane lane) {
			return lane.isOfCounters() ? this.counters : this.finds;
		}

		private void close() {
			this.counters.close();
			this.finds.close();
		}

	}

}

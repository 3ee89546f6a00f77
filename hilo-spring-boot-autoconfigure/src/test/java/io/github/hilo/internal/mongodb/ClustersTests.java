package io.github.hilo.internal.mongodb;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterSettings;
import io.github.hilo.fixture.DirectTasks;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Clusters}: which clients lead to one cluster.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClustersTests {

	private static final String DIVIDED = " of one client are of several clusters";

	private final AtomicReference<@Nullable ClusterSettings> ofDefault = new AtomicReference<>();

	private final Clusters clusters = new Clusters(Duration.ofSeconds(10), TimeSource.SYSTEM, DirectTasks.INSTANCE,
			this.ofDefault::get);

	@AfterEach
	void close() {
		this.clusters.close();
	}

	/**
	 * A cluster is named by the first host of its first client. What leads where does not
	 * change later.
	 * @param clients in the order of their first use: the hosts of each, or an SRV name
	 * after a {@code +}, and the name of a replica set after a {@code /}
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a     a/rs0               | a a         | false
			a,b   b,c   c,d           | a a a       | false
			b,a   a     b/rs0         | b b b       | false
			A     a                   | a a         | false
			a     b     c,d           | a b c       | false
			a,b   c     b,c           | a c a       | true
			c     a,b   b,c           | c a c       | true
			a,b   c     c,b/rs0       | a c a       | true
			a,b   b,c   c             | a a a       | false
			c     b,c   a,b           | c c c       | false
			b,c   a,b   c             | b b b       | false
			b,c   c     a,b           | b b b       | false
			a     c     a,b   b,c     | a c a a     | true
			+s.io +t.io +S.io/rs0     | s.io t.io s.io | false
			+s.io 127.0.0.1           | s.io 127.0.0.1 | false
			""")
	void clientsWithAHostOrAnSrvNameInCommonLeadToOneCluster(String clients, String clusters, boolean divided,
			CapturedOutput output) {
		List<String> expected = Stream.of(clusters.split(" ", -1))
			.map((host) -> host.endsWith(".io") ? "@" + host : "@" + host + ":27017")
			.toList();
		for (int i = 1; i <= 2; i++) {
			int otherwiseToo = i;
			assertThat(Stream.of(clients.split(" +", -1))
				.map((client) -> suffix(ClusterSettings.builder(settings(client))
					.localThreshold(otherwiseToo, TimeUnit.SECONDS)
					.build()))
				.toList()).isEqualTo(expected);
		}
		assertThat(output.toString().split(DIVIDED, -1)).hasSize(divided ? 2 : 1);
	}

	@Test
	void firstClusterOfTheDefaultFactoryIsTheDefaultOne() {
		this.ofDefault.set(settings("a,b"));
		assertThat(suffix(settings("b,c/rs0"))).isEmpty();
		assertThat(suffix(settings("c"))).isEmpty();
		this.ofDefault.set(settings("d"));
		assertThat(suffix(settings("d"))).isEqualTo("@d:27017");
		assertThat(suffix(settings("a"))).isEmpty();
	}

	@Test
	void clusterThatWasUsedBeforeTheDefaultOneIsFoundKeepsItsName() {
		assertThat(suffix(settings("a,b"))).isEqualTo("@a:27017");
		this.ofDefault.set(settings("b"));
		assertThat(suffix(settings("b"))).isEqualTo("@a:27017");
		this.ofDefault.set(settings("c"));
		assertThat(suffix(settings("c"))).isEmpty();
	}

	@Test
	void clusterOfAFactoryThatDoesNotTellItIsTheDefaultOne() {
		assertThat(suffix(null)).isEmpty();
		this.ofDefault.set(settings("a"));
		assertThat(suffix(settings("a"))).isEqualTo("@a:27017");
	}

	@Test
	void settingsOfAReplacedClientAreNotKept() {
		WeakReference<ClusterSettings> replaced = used(settings("a"));
		await().until(() -> {
			System.gc();
			return replaced.refersTo(null);
		});
	}

	private WeakReference<ClusterSettings> used(ClusterSettings settings) {
		assertThat(suffix(settings)).isEqualTo("@a:27017");
		return new WeakReference<>(settings);
	}

	private String suffix(@Nullable ClusterSettings settings) {
		return this.clusters.clusterOf(settings).suffix();
	}

	private static ClusterSettings settings(String client) {
		String[] hostsAndSet = client.split("/", -1);
		ClusterSettings.Builder settings = ClusterSettings.builder();
		if (client.startsWith("+")) {
			settings.srvHost(hostsAndSet[0].substring(1));
		}
		else {
			settings.hosts(Stream.of(hostsAndSet[0].split(",", -1)).map(ServerAddress::new).toList());
		}
		return settings.requiredReplicaSetName((hostsAndSet.length > 1) ? hostsAndSet[1] : null).build();
	}

}

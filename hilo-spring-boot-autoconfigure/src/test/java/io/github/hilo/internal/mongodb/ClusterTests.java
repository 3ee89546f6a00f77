package io.github.hilo.internal.mongodb;

import java.util.concurrent.ThreadPoolExecutor;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Cluster}.
 */
class ClusterTests {

	@Test
	void oneBoundHoldsForAClusterAndForEachDatabaseThatMayBeElsewhere() {
		Cluster cluster = Cluster.of("db1:27017");
		assertThat(cluster.threadsOf("shop", true)).isSameAs(cluster.threadsOf("audit", true));
		assertThat(cluster.threadsOf("shop", false)).isSameAs(cluster.threadsOf("shop", false))
			.isNotSameAs(cluster.threadsOf("audit", false));
		for (boolean certain : new boolean[] { false, true }) {
			assertThat(((ThreadPoolExecutor) cluster.threadsOf("shop", certain)).getMaximumPoolSize()).isEqualTo(64);
		}
		cluster.shutdown();
	}

}

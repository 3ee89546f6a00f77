package io.github.hilo.mongodb;

import com.mongodb.connection.ClusterSettings;

/**
 * The cluster that a factory says its databases are in. Internal.
 *
 * @param settings those of the client
 * @param certain whether each database must be there; otherwise each may be led to
 * another client
 * @hidden
 */
public record ToldCluster(ClusterSettings settings, boolean certain) {
}

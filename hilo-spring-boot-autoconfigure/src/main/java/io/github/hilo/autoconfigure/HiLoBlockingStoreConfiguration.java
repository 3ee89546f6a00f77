package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.counter.StoreContext;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mongodb.Databases;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Counters through the synchronous driver, unless the user has a generator of their own.
 */
@Configuration(proxyBeanMethods = false)
@Conditional({ OnDatabase.Blocking.class, OnDatabase.WithoutGenerator.class })
class HiLoBlockingStoreConfiguration {

	private final Databases<MongoDatabase, @Nullable ClusterSettings> databases;

	HiLoBlockingStoreConfiguration(ConfigurableListableBeanFactory beans) {
		this.databases = new BlockingDatabases(beans).ofDefault();
	}

	/**
	 * A default factory that is refused concerns no other.
	 */
	@Bean
	StoreContext hiLoStoreContext(KnownTypes types, HiLoProperties properties) {
		return new StoreContext(properties.toStoreSettings(types::of), TimeSource.SYSTEM, () -> {
			try {
				return this.databases.cluster().get();
			}
			catch (IllegalStateException ex) {
				return null;
			}
		});
	}

	/**
	 * Closed by the engine.
	 */
	@Bean(destroyMethod = "")
	@Primary
	MongoRangeStores hiLoRangeStores(StoreContext context) {
		return new MongoRangeStores(this.databases, context);
	}

}

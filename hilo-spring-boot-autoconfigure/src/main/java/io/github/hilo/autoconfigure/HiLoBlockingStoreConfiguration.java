package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.counter.MongoRangeStores;
import io.github.hilo.counter.StoreContext;
import io.github.hilo.mapping.KnownTypes;
import io.github.hilo.mongodb.Databases;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Counters through the synchronous driver, unless the user has a generator of their own.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnDatabase.Blocking.class)
@ConditionalOnMissingBean(HiLoIdGenerator.class)
class HiLoBlockingStoreConfiguration {

	private final Databases<MongoDatabase, @Nullable MongoClient> databases;

	HiLoBlockingStoreConfiguration(BeanFactory beans) {
		this.databases = BlockingDatabases.ofDefault(beans);
	}

	@Bean
	StoreContext hiLoStoreContext(KnownTypes types, HiLoProperties properties) {
		return new StoreContext(properties.toStoreSettings(types::of), TimeSource.SYSTEM, () -> {
			MongoClient client = this.databases.client().get();
			return (client != null) ? client.getClusterDescription() : null;
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

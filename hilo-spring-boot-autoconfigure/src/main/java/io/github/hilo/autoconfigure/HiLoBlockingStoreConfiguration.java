package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.StoredIdPlaces;
import io.github.hilo.mongodb.MongoRangeStores;
import io.github.hilo.store.TimeSource;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/**
 * Counters through the synchronous driver, unless the user has a generator of their own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MongoClient.class)
@ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
@ConditionalOnMissingBean(HiLoIdGenerator.class)
class HiLoBlockingStoreConfiguration {

	/**
	 * Closed by the engine.
	 */
	@Bean(destroyMethod = "")
	MongoRangeStores hiLoRangeStores(MongoDatabaseFactory factory, StoredIdPlaces places, HiLoProperties properties) {
		return new MongoRangeStores(factory::getMongoDatabase,
				factory.getClass() == SimpleMongoClientDatabaseFactory.class, factory::getMongoDatabase,
				properties.toStoreSettings(places), TimeSource.SYSTEM);
	}

}

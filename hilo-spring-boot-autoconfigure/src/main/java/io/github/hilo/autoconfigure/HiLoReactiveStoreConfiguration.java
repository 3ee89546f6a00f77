package io.github.hilo.autoconfigure;

import com.mongodb.reactivestreams.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.StoredIdPlaces;
import io.github.hilo.mongodb.ReactiveMongoRangeStores;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.TimeSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * Counters through the reactive driver, where there is no synchronous factory and the
 * user has no generator of their own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ MongoClient.class, Mono.class })
@ConditionalOnSingleCandidate(ReactiveMongoDatabaseFactory.class)
@ConditionalOnMissingBean({ HiLoIdGenerator.class, RangeStores.class })
class HiLoReactiveStoreConfiguration {

	/**
	 * Closed by the engine.
	 */
	@Bean(destroyMethod = "")
	ReactiveMongoRangeStores hiLoReactiveRangeStores(ReactiveMongoDatabaseFactory factory, StoredIdPlaces places,
			HiLoProperties properties) {
		return new ReactiveMongoRangeStores(Mono.defer(factory::getMongoDatabase),
				factory.getClass() == SimpleReactiveMongoDatabaseFactory.class, factory::getMongoDatabase,
				properties.toStoreSettings(places), TimeSource.SYSTEM);
	}

}

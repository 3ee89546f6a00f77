package io.github.hilo.autoconfigure;

import com.mongodb.reactivestreams.client.MongoClient;
import io.github.hilo.data.IdAssignment;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.mongodb.ReactiveMongoRangeStores;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.store.RangeStore;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * HiLo ids for reactive callers, and for what reactive templates save. Each bean's
 * condition looks for those above it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ MongoClient.class, Mono.class })
@ConditionalOnSingleCandidate(ReactiveMongoDatabaseFactory.class)
class HiLoReactiveConfiguration {

	@Bean
	@ConditionalOnBean(HiLoEngine.class)
	@ConditionalOnMissingBean
	ReactiveHiLoIdGenerator reactiveHiLoIdGenerator(HiLoEngine engine, ReactiveMongoDatabaseFactory factory,
			ObjectProvider<ReactiveMongoRangeStores> stores) {
		ReactiveMongoRangeStores reactive = stores.getIfAvailable();
		Mono<RangeStore> store = Mono.defer(factory::getMongoDatabase)
			.map((database) -> (reactive != null) ? reactive.storeOf(database) : engine.storeOf(database.getName()));
		return new DefaultReactiveHiLoIdGenerator(engine, store,
				factory.getClass() == SimpleReactiveMongoDatabaseFactory.class);
	}

	/**
	 * Takes the engine, if there is one, to be destroyed before it.
	 */
	@Bean
	@ConditionalOnBean(ReactiveHiLoIdGenerator.class)
	@ConditionalOnMissingBean
	ReactiveHiLoBeforeConvertCallback reactiveHiLoBeforeConvertCallback(
			ObjectProvider<ReactiveHiLoIdGenerator> generator, IdAssignment assignment, @Nullable HiLoEngine engine) {
		return new ReactiveHiLoBeforeConvertCallback(new OnceSupplied<>(generator::getObject), assignment);
	}

	@Bean
	@ConditionalOnBean(HiLoEngine.class)
	static DependsOnEngine hiLoReactiveMongoOperationsDependency() {
		return new DependsOnEngine(ReactiveMongoOperations.class);
	}

}

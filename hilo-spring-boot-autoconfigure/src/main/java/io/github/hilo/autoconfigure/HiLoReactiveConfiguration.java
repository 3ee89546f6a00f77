package io.github.hilo.autoconfigure;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.engine.DefaultHiLoIdGenerator;
import io.github.hilo.engine.GeneratorListener;
import io.github.hilo.mongodb.ReactiveMongoRangeStores;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * HiLo ids for reactive callers. Where there is no other way to MongoDB, the generator
 * itself goes through the reactive driver. Each bean's condition looks for those above
 * it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ MongoClient.class, Mono.class })
@ConditionalOnSingleCandidate(ReactiveMongoDatabaseFactory.class)
class HiLoReactiveConfiguration {

	@Bean(destroyMethod = "")
	@ConditionalOnMissingBean(HiLoIdGenerator.class)
	ReactiveMongoRangeStores hiLoReactiveRangeStores(ReactiveMongoDatabaseFactory factory, MappedSequenceNames names,
			HiLoProperties properties) {
		return new ReactiveMongoRangeStores(databaseOf(factory), isFixed(factory), factory::getMongoDatabase,
				properties.toStoreSettings(names.storedIdScopes()), TimeSource.SYSTEM);
	}

	/**
	 * Depends on the factory through the stores, so that it is closed, and returns what
	 * is left, before the MongoClient is.
	 */
	@Bean(destroyMethod = "close")
	@ConditionalOnBean(ReactiveMongoRangeStores.class)
	DefaultHiLoIdGenerator hiLoIdGenerator(ReactiveMongoRangeStores stores, MappedSequenceNames names,
			HiLoProperties properties, ObjectProvider<GeneratorListener> listener) {
		return new DefaultHiLoIdGenerator(stores, names, properties.toSettings(), TimeSource.SYSTEM,
				listener.getIfAvailable(() -> GeneratorListener.NONE));
	}

	@Bean
	@ConditionalOnBean(DefaultHiLoIdGenerator.class)
	@ConditionalOnMissingBean
	ReactiveHiLoIdGenerator reactiveHiLoIdGenerator(DefaultHiLoIdGenerator generator,
			ReactiveMongoDatabaseFactory factory, ObjectProvider<ReactiveMongoRangeStores> stores) {
		ReactiveMongoRangeStores reactive = stores.getIfAvailable();
		Mono<RangeStore> store = databaseOf(factory)
			.map((database) -> (reactive != null) ? reactive.storeOf(database) : generator.storeOf(database.getName()));
		return new DefaultReactiveHiLoIdGenerator(generator, store, isFixed(factory));
	}

	/**
	 * A bean that still saves documents while it is destroyed depends on a template, and
	 * so is destroyed before the generator.
	 */
	@Bean
	@ConditionalOnBean(DefaultHiLoIdGenerator.class)
	static AbstractDependsOnBeanFactoryPostProcessor hiLoReactiveMongoOperationsDependency() {
		return new AbstractDependsOnBeanFactoryPostProcessor(ReactiveMongoOperations.class,
				DefaultHiLoIdGenerator.class) {
		};
	}

	@Bean
	@ConditionalOnBean(ReactiveHiLoIdGenerator.class)
	@ConditionalOnMissingBean
	@Conditional(OnAssignIdsCondition.class)
	ReactiveHiLoBeforeConvertCallback reactiveHiLoBeforeConvertCallback(
			ObjectProvider<ReactiveHiLoIdGenerator> generator, MappedSequenceNames names, HiLoProperties properties) {
		return new ReactiveHiLoBeforeConvertCallback(generator::getObject, names, properties.assignIds());
	}

	/**
	 * Resolves the default database for each subscriber, with its context.
	 */
	private static Mono<MongoDatabase> databaseOf(ReactiveMongoDatabaseFactory factory) {
		return Mono.defer(factory::getMongoDatabase);
	}

	private static boolean isFixed(ReactiveMongoDatabaseFactory factory) {
		return factory.getClass() == SimpleReactiveMongoDatabaseFactory.class;
	}

}

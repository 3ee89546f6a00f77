package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.counter.StoreContext;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.TimeSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;

/**
 * The engine over either driver, the generator, which is a view of the engine, and their
 * life cycle. An application's own generator replaces all of them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = RangeStores.class, search = SearchStrategy.CURRENT)
class HiLoEngineConfiguration {

	/**
	 * The home of the counters is the cluster of the blocking default database, if there
	 * are both drivers.
	 */
	@Bean
	StoreContext hiLoStoreContext(KnownTypes types, HiLoProperties properties, DriverDatabases<?, ?, ?, ?> databases) {
		return new StoreContext(properties.toStoreSettings(types::placesOf), TimeSource.SYSTEM, databases::home);
	}

	@Bean
	SmartInitializingSingleton hiLoRefusals(List<DriverDatabases<?, ?, ?, ?>> databases) {
		return () -> databases.forEach(DriverDatabases::warnOfRefusal);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	HiLoEngine hiLoEngine(RangeStores stores, KnownTypes types, HiLoProperties properties,
			ObjectProvider<Consumer<SequenceEvent>> meters) {
		return new HiLoEngine(stores, types, properties.toSettings(), TimeSource.SYSTEM,
				new ReservationLog(TimeSource.SYSTEM, meters::getIfAvailable));
	}

	@Bean
	HiLoIdGenerator hiLoIdGenerator(HiLoEngine engine) {
		return engine.generator();
	}

	@Bean
	HiLoLifecycle hiLoLifecycle(HiLoEngine engine, HiLoProperties properties, MissingValues missing) {
		return new HiLoLifecycle(engine, properties, missing);
	}

	/**
	 * Makes templates depend on the engine, so that they, and all that depend on them,
	 * are destroyed before the engine. A bean may save documents while it is destroyed.
	 */
	@Bean
	static BeanFactoryPostProcessor hiLoMongoOperationsDependency() {
		return (beans) -> Stream.of(MongoOperations.class, ReactiveMongoOperations.class)
			.forEach((templates) -> new AbstractDependsOnBeanFactoryPostProcessor(templates, HiLoEngine.class) {
			}.postProcessBeanFactory(beans));
	}

}

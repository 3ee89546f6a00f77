package io.github.hilo.autoconfigure;

import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.counter.CounterDatabases;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mapping.MappingReport;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.TimeSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.context.MappingContextEvent;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.util.StringUtils;

/**
 * The engine over either driver, the generator, which is a view of the engine, and their
 * life cycle. An application's own generator replaces all of them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = RangeStores.class, search = SearchStrategy.CURRENT)
class HiLoEngineConfiguration {

	@Bean
	CounterDatabases hiLoCounterDatabases(KnownTypes types, HiLoProperties properties, ListableBeanFactory beans) {
		return new CounterDatabases(properties.toCounterSettings(), TimeSource.SYSTEM,
				firstOf(DriverFactories.class, beans)::defaultCluster);
	}

	/**
	 * Lets a type that Spring Data merely reads become known, because a call by name does
	 * not look at types.
	 */
	@Bean
	ApplicationListener<MappingContextEvent<?, ?>> hiLoTypesListener(KnownTypes types) {
		return (event) -> types.added();
	}

	@Bean
	SmartInitializingSingleton hiLoRefusals(ListableBeanFactory beans) {
		return () -> beans.getBeansOfType(DriverFactories.class)
			.values()
			.forEach((databases) -> databases.warnOfRefusal());
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	HiLoEngine hiLoEngine(KnownTypes types, HiLoProperties properties, ObjectProvider<Consumer<SequenceEvent>> meters,
			ListableBeanFactory beans) {
		return new HiLoEngine(firstOf(RangeStores.class, beans), types, properties.toSettings(), TimeSource.SYSTEM,
				new ReservationLog(TimeSource.SYSTEM, meters::getIfAvailable));
	}

	/**
	 * Returns the bean of the blocking driver or, without one, that of the reactive
	 * driver. Beans of a parent context belong to the parent's engine.
	 */
	private static <T> T firstOf(Class<T> type, ListableBeanFactory beans) {
		return beans.getBeansOfType(type).values().iterator().next();
	}

	@Bean
	HiLoIdGenerator hiLoIdGenerator(HiLoEngine engine) {
		return engine.generator();
	}

	@Bean
	HiLoLifecycle hiLoLifecycle(HiLoEngine engine, HiLoProperties properties, MappingReport report) {
		return new HiLoLifecycle(engine, properties, report);
	}

	/**
	 * Makes templates depend on the engine, so that they, and all that depend on them,
	 * are destroyed before the engine. A bean may save documents while it is destroyed.
	 */
	@Bean
	static BeanFactoryPostProcessor hiLoMongoOperationsDependency() {
		return (beans) -> Stream.of(MongoOperations.class, ReactiveMongoOperations.class)
			.flatMap((templates) -> Stream.of(beans.getBeanNamesForType(templates, true, false)))
			// A template that was registered as a finished object has no definition.
			.filter(beans::containsBeanDefinition)
			.map(beans::getBeanDefinition)
			.forEach((template) -> template.setDependsOn(StringUtils.concatenateStringArrays(template.getDependsOn(),
					beans.getBeanNamesForType(HiLoEngine.class, true, false))));
	}

}

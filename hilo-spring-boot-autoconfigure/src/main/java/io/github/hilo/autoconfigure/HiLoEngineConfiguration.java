package io.github.hilo.autoconfigure;

import java.util.function.Consumer;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.TimeSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The engine over either driver, its life, and the generator, which is a view on it. A
 * generator of the user's has a life of its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = RangeStores.class, search = SearchStrategy.CURRENT)
class HiLoEngineConfiguration {

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
	HiLoLifecycle hiLoLifecycle(HiLoEngine engine, HiLoProperties properties, MissingValues missing,
			ObjectProvider<OnWeb> web) {
		return new HiLoLifecycle(engine, properties, missing, web.getIfAvailable() != null);
	}

	/**
	 * Is there if the application serves requests of either kind.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication
	static class OnWeb {

	}

	/**
	 * Lets beans of a type depend on the engine, so that they, and whatever depends on
	 * them, are destroyed before it: a bean may save documents while it is destroyed.
	 */
	static final class DependsOnEngine extends AbstractDependsOnBeanFactoryPostProcessor {

		DependsOnEngine(Class<?> beanType) {
			super(beanType, HiLoEngine.class);
		}

	}

}

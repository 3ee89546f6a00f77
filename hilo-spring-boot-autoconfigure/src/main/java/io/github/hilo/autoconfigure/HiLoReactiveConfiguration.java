package io.github.hilo.autoconfigure;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.counter.CounterDatabases;
import io.github.hilo.internal.counter.ReactiveMongoRangeStores;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.engine.ReactiveCalls;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.save.DefaultReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.save.ReactiveExcludingCallback;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * HiLo ids for reactive callers, and for the documents that reactive templates save. The
 * order of the beans matters: their conditions look for beans defined above them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = OnDatabase.REACTIVE_DRIVER)
@Conditional(OnDatabase.Reactive.class)
class HiLoReactiveConfiguration {

	/**
	 * Counters through the reactive driver, in addition to those through the synchronous
	 * driver. The engine closes the stores.
	 */
	@Bean(destroyMethod = "")
	@Conditional(OnDatabase.WithoutGenerator.class)
	ReactiveMongoRangeStores hiLoReactiveRangeStores(
			DriverFactories<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, MongoClient, Mono<MongoDatabase>> databases,
			CounterDatabases counters) {
		return new ReactiveMongoRangeStores(databases.ofDefault(), counters);
	}

	@Bean
	@ConditionalOnBean(value = RangeStores.class, search = SearchStrategy.CURRENT)
	ReactiveCalls hiLoReactiveCalls(HiLoEngine engine) {
		return new ReactiveCalls(engine);
	}

	@Bean
	@ConditionalOnBean(value = ReactiveMongoRangeStores.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReactiveHiLoIdGenerator reactiveHiLoIdGenerator(ReactiveCalls calls, ReactiveMongoRangeStores stores) {
		return new DefaultReactiveHiLoIdGenerator(calls, stores.resolve(), stores::resolve);
	}

	/**
	 * Depends on the engine, if there is one, so that the callback is destroyed first. If
	 * a parent has a generator of the application, too, that of this context is used.
	 */
	@Bean
	ReactiveExcludingCallback hiLoReactiveExcludingCallback(ObjectProvider<ReactiveHiLoIdGenerator> generator,
			BeanFactory beans, SavePlans plans,
			DriverFactories<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, MongoClient, Mono<MongoDatabase>> databases,
			ObjectProvider<ReactiveMongoRangeStores> stores, @Nullable ReactiveCalls calls) {
		return new ReactiveExcludingCallback(
				new DefaultReactiveHiLoBeforeConvertCallback(plans, calls,
						new ReactiveTemplateDatabases(new OnceSupplied<>(
								() -> generator.getIfUnique(() -> beans.getBean(ReactiveHiLoIdGenerator.class))),
								databases, stores.getIfAvailable())
							.ofUnknownTemplate()));
	}

	@Bean
	@ConditionalOnBean(ReactiveHiLoIdGenerator.class)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReactiveHiLoBeforeConvertCallback reactiveHiLoBeforeConvertCallback(ReactiveExcludingCallback excluding) {
		return excluding.whole();
	}

	@Bean
	static DriverFactories<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, MongoClient, Mono<MongoDatabase>> hiLoReactiveDatabases(
			ConfigurableListableBeanFactory beans) {
		return new DriverFactories<>(beans, new ReactiveDriver());
	}

	@Bean
	static TemplateCallbacks hiLoReactiveTemplateCallbacks(ApplicationContext context,
			ObjectProvider<EntityCallback<?>> candidates) {
		return new TemplateCallbacks(context, ReactiveMongoTemplate.class, candidates);
	}

}

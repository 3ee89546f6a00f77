package io.github.hilo.autoconfigure;

import com.mongodb.connection.ClusterSettings;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.internal.counter.StoreContext;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mongodb.Databases;
import io.github.hilo.internal.store.TimeSource;
import java.util.function.Function;

import io.github.hilo.internal.counter.ReactiveMongoRangeStores;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.data.DefaultReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.data.TemplateDatabase;
import io.github.hilo.internal.data.TemplateDatabases;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

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
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * HiLo ids for reactive callers, and for what reactive templates save. Each bean's
 * condition looks for those above it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = OnDatabase.REACTIVE_DRIVER)
@Conditional(OnDatabase.Reactive.class)
class HiLoReactiveConfiguration {

	@Bean
	@ConditionalOnBean(value = HiLoEngine.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReactiveHiLoIdGenerator reactiveHiLoIdGenerator(HiLoEngine engine, ReactiveMongoRangeStores stores) {
		return new DefaultReactiveHiLoIdGenerator(engine, stores.resolve(), stores::isCurrentFixed, stores::resolve);
	}

	/**
	 * Takes the engine, if there is one, to be destroyed before it.
	 */
	@Bean
	@ConditionalOnBean(ReactiveHiLoIdGenerator.class)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReactiveHiLoBeforeConvertCallback reactiveHiLoBeforeConvertCallback(
			ObjectProvider<ReactiveHiLoIdGenerator> generator, MissingValues missing,
			ConfigurableListableBeanFactory beans, ObjectProvider<ReactiveMongoRangeStores> stores,
			@Nullable HiLoEngine engine) {
		ReactiveMongoRangeStores own = stores.getIfAvailable();
		ReactiveDatabases databases = new ReactiveDatabases(beans);
		Function<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> of = (factory) -> (own != null)
				? own.resolve(databases.of(factory)).map(TemplateDatabase::new)
				: factory.getMongoDatabase().map((database) -> new TemplateDatabase(database.getName(), null));
		return new DefaultReactiveHiLoBeforeConvertCallback(new OnceSupplied<>(generator::getObject), missing,
				new TemplateDatabases<>((factory) -> databases.defaultFactory().is((found) -> found == factory), of,
						ReactiveDatabases::isFixed,
						() -> databases.defaultFactory()
							.isAlone(ReactiveDatabases::isFixed,
									(factory) -> of.apply(factory)
										.<Object>map(TemplateDatabase::name)
										.toFuture()
										.getNow(factory))),
				engine, (own != null) ? own.resolve() : Mono.empty());
	}

	@Bean
	static TemplateCallbacks hiLoReactiveTemplateCallbacks(ApplicationContext context) {
		return new TemplateCallbacks(context, ReactiveMongoTemplate.class);
	}

	@Bean
	@ConditionalOnBean(value = HiLoEngine.class, search = SearchStrategy.CURRENT)
	static HiLoEngineConfiguration.DependsOnEngine hiLoReactiveMongoOperationsDependency() {
		return new HiLoEngineConfiguration.DependsOnEngine(ReactiveMongoOperations.class);
	}

	/**
	 * Counters through the reactive driver, beside those through the synchronous one if
	 * that is there, too, and unless the user has a generator of their own.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = OnDatabase.REACTIVE_DRIVER)
	@Conditional({ OnDatabase.Reactive.class, OnDatabase.WithoutGenerator.class })
	static class Stores {

		private final Databases<Mono<MongoDatabase>, Mono<ClusterSettings>> databases;

		Stores(ConfigurableListableBeanFactory beans) {
			this.databases = new ReactiveDatabases(beans).ofDefault(!beans.containsLocalBean("hiLoRangeStores"));
		}

		/**
		 * A factory tells its cluster at once, or it is not known yet.
		 */
		@Bean
		@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
		StoreContext hiLoStoreContext(KnownTypes types, HiLoProperties properties) {
			return new StoreContext(properties.toStoreSettings(types::of), TimeSource.SYSTEM,
					() -> Mono.defer(this.databases.cluster()).onErrorComplete().toFuture().getNow(null));
		}

		/**
		 * Closed by the engine.
		 */
		@Bean(destroyMethod = "")
		ReactiveMongoRangeStores hiLoReactiveRangeStores(StoreContext context) {
			return new ReactiveMongoRangeStores(this.databases, context);
		}

	}

}

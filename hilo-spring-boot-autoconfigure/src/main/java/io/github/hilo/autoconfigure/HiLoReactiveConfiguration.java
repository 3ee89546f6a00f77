package io.github.hilo.autoconfigure;

import java.util.function.Function;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.counter.ReactiveMongoRangeStores;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveTemplateCallbacks;
import io.github.hilo.data.TemplateDatabases;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.mapping.MissingValues;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * HiLo ids for reactive callers, and for what reactive templates save. Each bean's
 * condition looks for those above it.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnDatabase.Reactive.class)
@RegisterReflection(classes = ReactiveMongoTemplate.class, memberCategories = MemberCategory.ACCESS_DECLARED_FIELDS)
class HiLoReactiveConfiguration {

	/**
	 * The engine's own driver sends what both can send.
	 */
	@Bean
	@ConditionalOnBean(HiLoEngine.class)
	@ConditionalOnMissingBean
	ReactiveHiLoIdGenerator reactiveHiLoIdGenerator(HiLoEngine engine, RangeStores own,
			ReactiveMongoRangeStores stores) {
		return new DefaultReactiveHiLoIdGenerator(engine, defaultStore(engine, own, stores), stores::isCurrentFixed);
	}

	private static Mono<RangeStore> defaultStore(HiLoEngine engine, RangeStores own, ReactiveMongoRangeStores stores) {
		Mono<RangeStore> store = stores.resolve();
		return (own == stores) ? store : store.map((resolved) -> engine.storeOf(resolved.database()));
	}

	/**
	 * Takes the engine, if there is one, to be destroyed before it.
	 */
	@Bean
	@ConditionalOnBean(ReactiveHiLoIdGenerator.class)
	@ConditionalOnMissingBean
	ReactiveHiLoBeforeConvertCallback reactiveHiLoBeforeConvertCallback(
			ObjectProvider<ReactiveHiLoIdGenerator> generator, MissingValues missing, BeanFactory beans,
			ObjectProvider<ReactiveMongoRangeStores> stores, ObjectProvider<RangeStores> sending,
			@Nullable HiLoEngine engine) {
		ReactiveMongoRangeStores own = stores.getIfAvailable();
		var defaultFactory = ReactiveDatabases.defaultFactory(beans);
		Function<ReactiveMongoDatabaseFactory, Mono<String>> names = (factory) -> (own != null)
				? own.resolve(ReactiveDatabases.of(factory)).map(RangeStore::database)
				: factory.getMongoDatabase().map(MongoDatabase::getName);
		return new ReactiveHiLoBeforeConvertCallback(new OnceSupplied<>(generator::getObject), missing,
				new TemplateDatabases<>((factory) -> defaultFactory.is((found) -> found == factory), names,
						ReactiveDatabases::isFixed,
						() -> defaultFactory.isAlone(ReactiveDatabases::isFixed,
								(factory) -> names.apply(factory).cast(Object.class).toFuture().getNow(factory))),
				engine,
				(engine != null && own != null) ? defaultStore(engine, sending.getObject(), own) : Mono.empty());
	}

	@Bean
	static TemplateMarker<ReactiveMongoTemplate, ReactiveEntityCallbacks> hiLoReactiveTemplateMarker(
			ConfigurableListableBeanFactory beans) {
		return new TemplateMarker<>(beans, ReactiveMongoTemplate.class, ReactiveTemplateCallbacks::new,
				ReactiveMongoTemplate::setEntityCallbacks);
	}

	@Bean
	@ConditionalOnBean(HiLoEngine.class)
	static HiLoEngineConfiguration.DependsOnEngine hiLoReactiveMongoOperationsDependency() {
		return new HiLoEngineConfiguration.DependsOnEngine(ReactiveMongoOperations.class);
	}

}

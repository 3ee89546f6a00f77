package io.github.hilo.autoconfigure;

import com.mongodb.connection.ClusterSettings;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.internal.counter.ReactiveMongoRangeStores;
import io.github.hilo.internal.counter.StoreContext;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mongodb.Databases;
import io.github.hilo.internal.store.TimeSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Counters through the reactive driver, beside those through the synchronous one if that
 * is there, too, and unless the user has a generator of their own.
 */
@Configuration(proxyBeanMethods = false)
@Conditional({ OnDatabase.Reactive.class, OnDatabase.WithoutGenerator.class })
class HiLoReactiveStoreConfiguration {

	private final Databases<Mono<MongoDatabase>, Mono<ClusterSettings>> databases;

	HiLoReactiveStoreConfiguration(ConfigurableListableBeanFactory beans) {
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

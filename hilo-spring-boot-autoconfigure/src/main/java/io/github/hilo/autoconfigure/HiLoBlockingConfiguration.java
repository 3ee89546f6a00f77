package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoClient;
import io.github.hilo.internal.counter.StoreContext;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.store.TimeSource;
import org.springframework.context.annotation.Primary;
import java.util.function.Function;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.internal.data.DefaultHiLoBeforeConvertCallback;
import io.github.hilo.internal.data.TemplateDatabase;
import io.github.hilo.internal.data.TemplateDatabases;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MissingValues;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoClusterCapable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

/**
 * HiLo ids for the documents that blocking templates save.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnDatabase.Blocking.class)
class HiLoBlockingConfiguration {

	/**
	 * Depends on the engine, if there is one, so that the callback is destroyed first. An
	 * application's own generator is asked for other databases by name.
	 */
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	HiLoBeforeConvertCallback hiLoBeforeConvertCallback(ObjectProvider<HiLoIdGenerator> generator,
			MissingValues missing,
			DriverDatabases<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> databases,
			ObjectProvider<MongoRangeStores> stores, @Nullable HiLoEngine engine) {
		MongoRangeStores own = stores.getIfAvailable();
		Function<MongoDatabaseFactory, TemplateDatabase> of = (factory) -> (own != null)
				? new TemplateDatabase(own.current(databases.of(factory)))
				: new TemplateDatabase(factory.getMongoDatabase().getName(), null);
		return new DefaultHiLoBeforeConvertCallback(new OnceSupplied<>(generator::getObject), missing,
				new TemplateDatabases<>((factory) -> databases.isDefault((found) -> found == factory), of,
						databases::isFixed, databases.alone((factory) -> of.apply(factory).name())),
				engine);
	}

	@Bean
	static DriverDatabases<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> hiLoDatabases(
			ConfigurableListableBeanFactory beans) {
		return new DriverDatabases<>(beans,
				new DriverDatabases.Driver<>(MongoTemplate.class, MongoTemplate::getMongoDatabaseFactory,
						MongoDatabaseFactory.class, SimpleMongoClientDatabaseFactory.class,
						MongoDatabaseFactory::getMongoDatabase, MongoDatabaseFactory::getMongoDatabase,
						MongoClusterCapable.class, (factory) -> ((MongoClusterCapable) factory).getMongoCluster(),
						MongoClient.class, MongoClient::getClusterDescription, MongoClient::getDatabase));
	}

	@Bean
	static TemplateCallbacks hiLoTemplateCallbacks(ApplicationContext context) {
		return new TemplateCallbacks(context, MongoTemplate.class);
	}

	@Bean
	@ConditionalOnBean(value = HiLoEngine.class, search = SearchStrategy.CURRENT)
	static HiLoEngineConfiguration.DependsOnEngine hiLoMongoOperationsDependency() {
		return new HiLoEngineConfiguration.DependsOnEngine(MongoOperations.class);
	}

	/**
	 * Counters through the synchronous driver, if the application has no generator of its
	 * own.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional({ OnDatabase.Blocking.class, OnDatabase.WithoutGenerator.class })
	static class Stores implements SmartInitializingSingleton {

		private final DriverDatabases<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> databases;

		Stores(DriverDatabases<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> databases) {
			this.databases = databases;
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.databases.warnOfRefusal();
		}

		@Bean
		StoreContext hiLoStoreContext(KnownTypes types, HiLoProperties properties) {
			return new StoreContext(properties.toStoreSettings(types::of), TimeSource.SYSTEM, this.databases::home);
		}

		// The engine closes the stores.
		@Bean(destroyMethod = "")
		@Primary
		MongoRangeStores hiLoRangeStores(StoreContext context) {
			return new MongoRangeStores(this.databases.ofDefault(), context);
		}

	}

}

package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.internal.counter.CounterDatabases;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.save.DefaultHiLoBeforeConvertCallback;
import io.github.hilo.internal.save.ExcludingCallback;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * HiLo ids for the documents that blocking templates save.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnDatabase.Blocking.class)
class HiLoBlockingConfiguration {

	/**
	 * Depends on the engine, if there is one, so that the callback is destroyed first.
	 */
	@Bean
	ExcludingCallback hiLoExcludingCallback(ObjectProvider<HiLoIdGenerator> generator, SavePlans plans,
			DriverFactories<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> databases,
			ObjectProvider<MongoRangeStores> stores, @Nullable HiLoEngine engine) {
		return new ExcludingCallback(new DefaultHiLoBeforeConvertCallback(plans, engine,
				new BlockingTemplateDatabases(new OnceSupplied<>(generator::getObject), databases,
						stores.getIfAvailable(), engine)
					.ofUnknownTemplate()));
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	HiLoBeforeConvertCallback hiLoBeforeConvertCallback(ExcludingCallback excluding) {
		return excluding.whole();
	}

	@Bean
	static DriverFactories<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> hiLoDatabases(
			ConfigurableListableBeanFactory beans) {
		return new DriverFactories<>(beans, new BlockingDriver());
	}

	@Bean
	static TemplateCallbacks hiLoTemplateCallbacks(ApplicationContext context,
			ObjectProvider<EntityCallback<?>> candidates) {
		return new TemplateCallbacks(context, MongoTemplate.class, candidates);
	}

	/**
	 * Counters through the synchronous driver. The engine closes the stores.
	 */
	@Bean(destroyMethod = "")
	@Conditional(OnDatabase.WithoutGenerator.class)
	MongoRangeStores hiLoRangeStores(
			DriverFactories<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> databases,
			CounterDatabases counters) {
		return new MongoRangeStores(databases.ofDefault(), counters);
	}

}

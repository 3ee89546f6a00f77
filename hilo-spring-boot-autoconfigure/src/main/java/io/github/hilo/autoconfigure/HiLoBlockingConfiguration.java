package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.engine.DefaultHiLoIdGenerator;
import io.github.hilo.engine.GeneratorListener;
import io.github.hilo.mongodb.MongoRangeStores;
import io.github.hilo.store.TimeSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * HiLo ids through the synchronous driver.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MongoClient.class)
@ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
class HiLoBlockingConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnAssignIdsCondition.class)
	HiLoBeforeConvertCallback hiLoBeforeConvertCallback(ObjectProvider<HiLoIdGenerator> generator,
			MappedSequenceNames names, HiLoProperties properties) {
		return new HiLoBeforeConvertCallback(SingletonSupplier.of(generator::getObject), names, properties.assignIds());
	}

	/**
	 * The generator, unless the user has one of their own.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(HiLoIdGenerator.class)
	static class GeneratorConfiguration {

		/**
		 * Depends on the factory itself, so that it is closed, and returns what is left,
		 * before the MongoClient is.
		 */
		@Bean(destroyMethod = "close")
		DefaultHiLoIdGenerator hiLoIdGenerator(MongoDatabaseFactory factory, MappedSequenceNames names,
				HiLoProperties properties, ObjectProvider<GeneratorListener> listener) {
			MongoRangeStores stores = new MongoRangeStores(factory::getMongoDatabase,
					factory.getClass() == SimpleMongoClientDatabaseFactory.class, factory::getMongoDatabase,
					properties.toStoreSettings(names.storedIdScopes()), TimeSource.SYSTEM);
			return new DefaultHiLoIdGenerator(stores, names, properties.toSettings(), TimeSource.SYSTEM,
					listener.getIfAvailable(() -> GeneratorListener.NONE));
		}

		/**
		 * A bean that still saves documents while it is destroyed depends on a template,
		 * and so is destroyed before the generator.
		 */
		@Bean
		static AbstractDependsOnBeanFactoryPostProcessor hiLoMongoOperationsDependency() {
			return new AbstractDependsOnBeanFactoryPostProcessor(MongoOperations.class, DefaultHiLoIdGenerator.class) {
			};
		}

	}

}

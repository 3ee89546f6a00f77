package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import io.github.hilo.DefaultHiLoIdGenerator;
import io.github.hilo.GeneratorListener;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.TimeSource;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.data.RavenNaming;
import io.github.hilo.mongodb.MongoRangeStores;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for HiLo ids.
 */
@AutoConfiguration(after = DataMongoAutoConfiguration.class)
@ConditionalOnClass({ MongoClient.class, MongoDatabaseFactory.class })
@ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
@ConditionalOnBooleanProperty(prefix = HiLoProperties.PREFIX, name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(HiLoProperties.class)
public final class HiLoAutoConfiguration {

	private final HiLoProperties properties;

	HiLoAutoConfiguration(HiLoProperties properties) {
		properties.validate();
		this.properties = properties;
	}

	@Bean
	@ConditionalOnMissingBean
	HiLoNamingStrategy hiLoNamingStrategy() {
		return switch (this.properties.naming()) {
			case COLLECTION -> (type, collection) -> collection;
			case RAVEN -> new RavenNaming();
		};
	}

	@Bean
	MappedSequenceNames hiLoSequenceNames(MongoMappingContext mappings, HiLoNamingStrategy naming) {
		return new MappedSequenceNames(mappings, naming);
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnAssignIdsCondition.class)
	HiLoBeforeConvertCallback hiLoBeforeConvertCallback(ObjectProvider<HiLoIdGenerator> generator,
			MappedSequenceNames names) {
		return new HiLoBeforeConvertCallback(SingletonSupplier.of(generator::getObject), names,
				this.properties.assignIds());
	}

	/**
	 * The generator and its life, which end together where the user has a generator of
	 * their own.
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
					properties.collection(), properties.documentIdPrefix(), properties.serverPrefixDocument(),
					TimeSource.SYSTEM);
			return new DefaultHiLoIdGenerator(stores, names, properties.toSettings(), TimeSource.SYSTEM,
					listener.getIfAvailable(() -> GeneratorListener.NONE));
		}

		@Bean
		HiLoLifecycle hiLoLifecycle(DefaultHiLoIdGenerator generator, HiLoProperties properties) {
			return new HiLoLifecycle(generator, properties.warmUp());
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

	/**
	 * {@link Conditional} that ids are assigned to some type.
	 */
	static final class OnAssignIdsCondition extends NoneNestedConditions {

		OnAssignIdsCondition() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty(prefix = HiLoProperties.PREFIX, name = "assign-ids", havingValue = "none")
		static class None {

		}

	}

}

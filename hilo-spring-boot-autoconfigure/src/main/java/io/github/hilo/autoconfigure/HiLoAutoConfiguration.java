package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.internal.mapping.AssignmentRule;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mapping.MappedSequenceNames;
import io.github.hilo.internal.mapping.MappingReport;
import io.github.hilo.internal.mapping.RavenNaming;
import io.github.hilo.internal.mapping.SavePlans;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.data.mongodb.MongoClusterCapable;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * {@link AutoConfiguration Auto-configuration} for HiLo ids.
 */
@AutoConfiguration(after = { DataMongoAutoConfiguration.class, DataMongoReactiveAutoConfiguration.class })
// Callbacks without an order run in the order of their registration. Ours are registered
// last, so that they run after the callbacks of others.
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
// Without it Spring Boot is older than 4.1.
@ConditionalOnClass(MongoClusterCapable.class)
@Conditional({ OnEnabled.class, OnDatabase.Any.class })
@EnableConfigurationProperties(HiLoProperties.class)
@Import({ HiLoBlockingConfiguration.class, HiLoReactiveConfiguration.class, HiLoEngineConfiguration.class })
public final class HiLoAutoConfiguration {

	HiLoAutoConfiguration(HiLoProperties properties) {
		properties.validate();
	}

	/**
	 * Names sequences by {@code hilo.naming}. A context has this bean for its own
	 * properties even if its parent has one. A strategy of the application is preferred
	 * to this one, whether the context or its parent has it.
	 */
	@Bean
	@Fallback
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	HiLoNamingStrategy hiLoNamingStrategy(HiLoProperties properties) {
		return switch (properties.naming()) {
			case COLLECTION -> (type, collection) -> collection;
			case RAVEN -> new RavenNaming();
		};
	}

	/**
	 * Finds other beans when they are first needed, or the beans would form a cycle: a
	 * naming strategy may need a template, which depends on the engine, which needs this
	 * bean. Without a mapping context bean, the default mapping applies.
	 */
	@Bean
	KnownTypes hiLoKnownTypes(ObjectProvider<MongoMappingContext> mappings, ObjectProvider<HiLoNamingStrategy> naming,
			ObjectProvider<MongoConverter> converters, HiLoProperties properties) {
		AssignIds assigned = properties.assignIds();
		MappedSequenceNames names = new MappedSequenceNames(
				new OnceSupplied<>(() -> mappings.getIfAvailable(MongoMappingContext::new)),
				new OnceSupplied<>(naming::getObject), new OnceSupplied<>(() -> converters.orderedStream().toList()));
		return new KnownTypes(names,
				new AssignmentRule(assigned != AssignIds.NONE, assigned == AssignIds.ALL, properties.packages()));
	}

	@Bean
	SavePlans hiLoSavePlans(KnownTypes types) {
		return new SavePlans(types);
	}

	@Bean
	MappingReport hiLoMappingReport(KnownTypes types) {
		return new MappingReport(types);
	}

}

package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.AssignmentRule;
import io.github.hilo.data.IdAssignment;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.data.RavenNaming;
import io.github.hilo.data.StoredIdPlaces;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * {@link AutoConfiguration Auto-configuration} for HiLo ids.
 */
@AutoConfiguration(after = { DataMongoAutoConfiguration.class, DataMongoReactiveAutoConfiguration.class })
@ConditionalOnClass(MongoMappingContext.class)
@Conditional({ OnEnabledCondition.class, OnDatabaseCondition.class })
@EnableConfigurationProperties(HiLoProperties.class)
@Import({ HiLoBlockingStoreConfiguration.class, HiLoReactiveStoreConfiguration.class, HiLoEngineConfiguration.class,
		HiLoBlockingConfiguration.class, HiLoReactiveConfiguration.class })
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

	/**
	 * A strategy may need a template, which depends on the engine, which needs the names.
	 * Without a mapping context that is a bean, types are mapped as by default.
	 */
	@Bean
	MappedSequenceNames hiLoSequenceNames(ObjectProvider<MongoMappingContext> mappings,
			ObjectProvider<HiLoNamingStrategy> naming) {
		return new MappedSequenceNames(new OnceSupplied<>(() -> mappings.getIfAvailable(MongoMappingContext::new)),
				new OnceSupplied<>(naming::getObject));
	}

	@Bean
	AssignmentRule hiLoAssignmentRule() {
		return new AssignmentRule(this.properties.assignIds(), this.properties.packages());
	}

	@Bean
	StoredIdPlaces hiLoStoredIdPlaces(MappedSequenceNames names, AssignmentRule rule) {
		return new StoredIdPlaces(names, rule);
	}

	@Bean
	IdAssignment hiLoIdAssignment(MappedSequenceNames names, StoredIdPlaces places, AssignmentRule rule) {
		return new IdAssignment(names, places, rule);
	}

}

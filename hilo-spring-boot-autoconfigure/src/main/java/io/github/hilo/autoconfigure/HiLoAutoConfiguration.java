package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.IdAssignment;
import io.github.hilo.data.MappedIdScopes;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.data.RangeRelease;
import io.github.hilo.data.RavenNaming;
import io.github.hilo.engine.HiLoEngine;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * {@link AutoConfiguration Auto-configuration} for HiLo ids.
 */
@AutoConfiguration(after = { DataMongoAutoConfiguration.class, DataMongoReactiveAutoConfiguration.class })
@ConditionalOnClass(MongoMappingContext.class)
@Conditional({ OnEnabledCondition.class, OnDatabaseFactoryCondition.class })
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
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ConfigurationPropertiesBindHandlerAdvisor hiLoEmptySequences() {
		return EmptySequencesBindHandler::new;
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
	 */
	@Bean
	MappedSequenceNames hiLoSequenceNames(MongoMappingContext mappings, ObjectProvider<HiLoNamingStrategy> naming) {
		return new MappedSequenceNames(mappings, naming::getObject);
	}

	@Bean
	MappedIdScopes hiLoIdScopes(MappedSequenceNames names, ObjectProvider<HiLoEngine> engine) {
		return new MappedIdScopes(names, (database, sequence) -> {
			HiLoEngine own = engine.getIfAvailable();
			return (own != null) ? own.releaseAsync(database, sequence) : RangeRelease.NONE.release(database, sequence);
		});
	}

	@Bean
	IdAssignment hiLoIdAssignment(MappedSequenceNames names, MappedIdScopes scopes) {
		return new IdAssignment(names, scopes, this.properties.assignIds(), this.properties.packages());
	}

}

package io.github.hilo.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that logs why there are no HiLo ids:
 * no bean names a database, or the version of Spring Boot is too old.
 */
@AutoConfiguration(after = { DataMongoAutoConfiguration.class, DataMongoReactiveAutoConfiguration.class })
@ConditionalOnClass(MongoMappingContext.class)
@Conditional({ OnEnabled.class, OnDatabase.None.class })
public final class HiLoBackOffAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(HiLoBackOffAutoConfiguration.class);

	HiLoBackOffAutoConfiguration() {
		if (!OnDatabase.isBootNewEnough(null)) {
			logger.warn(
					"No document gets an id from hilo, because this is Spring Boot {}, and hilo needs 4.1 or later:"
							+ " upgrade Spring Boot, or remove hilo-spring-boot-starter",
					SpringBootVersion.getVersion());
		}
		else {
			logger.warn("No document gets an id from hilo, because no bean names a database: there is no MongoTemplate,"
					+ " no MongoDatabaseFactory, and no reactive one");
		}
	}

}

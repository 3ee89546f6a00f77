package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import io.github.hilo.DefaultHiLoIdGenerator;
import io.github.hilo.TimeSource;
import io.github.hilo.data.HiLoResync;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.mongodb.MongoStoredIds;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/**
 * Lifting counters to the ids that are stored already, through the synchronous driver.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MongoClient.class)
@ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
@ConditionalOnBean(DefaultHiLoIdGenerator.class)
class HiLoResyncConfiguration {

	@Bean
	@ConditionalOnMissingBean
	HiLoResync hiLoResync(DefaultHiLoIdGenerator generator, MongoDatabaseFactory factory, MappedSequenceNames names,
			HiLoProperties properties) {
		return new HiLoResync(generator,
				(database) -> new MongoStoredIds(
						(database != null) ? factory.getMongoDatabase(database) : factory.getMongoDatabase()),
				names, properties.identityPartsSeparator(), TimeSource.SYSTEM);
	}

}

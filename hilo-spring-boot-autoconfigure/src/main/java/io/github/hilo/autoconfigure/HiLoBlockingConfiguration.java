package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.IdAssignment;
import io.github.hilo.engine.HiLoEngine;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;

/**
 * HiLo ids for what blocking templates save.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MongoClient.class)
@ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
class HiLoBlockingConfiguration {

	/**
	 * Takes the engine, if there is one, to be destroyed before it.
	 */
	@Bean
	@ConditionalOnMissingBean
	HiLoBeforeConvertCallback hiLoBeforeConvertCallback(ObjectProvider<HiLoIdGenerator> generator,
			IdAssignment assignment, @Nullable HiLoEngine engine) {
		return new HiLoBeforeConvertCallback(new OnceSupplied<>(generator::getObject), assignment);
	}

	@Bean
	@ConditionalOnBean(HiLoEngine.class)
	static DependsOnEngine hiLoMongoOperationsDependency() {
		return new DependsOnEngine(MongoOperations.class);
	}

}

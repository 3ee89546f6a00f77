package io.github.hilo.autoconfigure;

import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;

/**
 * {@link Conditional} that a database can be reached with either driver.
 */
final class OnDatabaseFactoryCondition extends AnyNestedCondition {

	OnDatabaseFactoryCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnClass(com.mongodb.client.MongoClient.class)
	@ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
	static class Blocking {

	}

	@ConditionalOnClass({ com.mongodb.reactivestreams.client.MongoClient.class, Mono.class })
	@ConditionalOnSingleCandidate(ReactiveMongoDatabaseFactory.class)
	static class Reactive {

	}

}

package io.github.hilo.autoconfigure;

import com.mongodb.reactivestreams.client.MongoClient;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;

/**
 * {@link Conditional} that a database can be reached with the reactive driver: by a
 * template, or by a factory that callers are to be given ids of.
 */
final class OnReactiveDatabaseCondition extends AnyNestedCondition {

	OnReactiveDatabaseCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnClass({ MongoClient.class, Mono.class, ReactiveMongoDatabaseFactory.class })
	@ConditionalOnBean(ReactiveMongoOperations.class)
	static class Template {

	}

	@ConditionalOnClass({ MongoClient.class, Mono.class, ReactiveMongoDatabaseFactory.class })
	@ConditionalOnBean(ReactiveMongoDatabaseFactory.class)
	static class Factory {

	}

}

package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;

/**
 * {@link Conditional} that a database can be reached with the synchronous driver: by a
 * template, or by a factory that callers are to be given ids of.
 */
final class OnBlockingDatabaseCondition extends AnyNestedCondition {

	OnBlockingDatabaseCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnClass({ MongoClient.class, MongoDatabaseFactory.class })
	@ConditionalOnBean(MongoOperations.class)
	static class Template {

	}

	@ConditionalOnClass({ MongoClient.class, MongoDatabaseFactory.class })
	@ConditionalOnBean(MongoDatabaseFactory.class)
	static class Factory {

	}

}

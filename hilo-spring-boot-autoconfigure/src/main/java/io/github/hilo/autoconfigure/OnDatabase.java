package io.github.hilo.autoconfigure;

import com.mongodb.client.MongoClient;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;

/**
 * {@link Conditional Conditions} on a database that can be reached: by a template, or by
 * a factory that callers are to be given ids of.
 */
final class OnDatabase {

	/**
	 * A class that every application on Spring Boot 3 has, and none on Spring Boot 4.
	 */
	static final String OF_BOOT_3 = "org.springframework.boot.autoconfigure.data.mongo.MongoDataAutoConfiguration";

	private OnDatabase() {
	}

	/**
	 * With the synchronous driver.
	 */
	static final class Blocking extends AnyNestedCondition {

		Blocking() {
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

	/**
	 * With the reactive driver.
	 */
	static final class Reactive extends AnyNestedCondition {

		Reactive() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnClass({ com.mongodb.reactivestreams.client.MongoClient.class, Mono.class,
				ReactiveMongoDatabaseFactory.class })
		@ConditionalOnBean(ReactiveMongoOperations.class)
		static class Template {

		}

		@ConditionalOnClass({ com.mongodb.reactivestreams.client.MongoClient.class, Mono.class,
				ReactiveMongoDatabaseFactory.class })
		@ConditionalOnBean(ReactiveMongoDatabaseFactory.class)
		static class Factory {

		}

	}

	/**
	 * With either driver.
	 */
	static final class Any extends AnyNestedCondition {

		Any() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(Blocking.class)
		static class WithBlocking {

		}

		@Conditional(Reactive.class)
		static class WithReactive {

		}

	}

	/**
	 * There is none, or none that can be used: on Spring Boot 3.
	 */
	static final class None extends NoneNestedConditions {

		None() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(Any.class)
		@ConditionalOnMissingClass(OF_BOOT_3)
		static class Database {

		}

	}

}

package io.github.hilo.shop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;

import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/**
 * Gives every context of a test a database of its own on the {@link MongoTestServer}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ContextConfiguration(initializers = OnTestServer.Connection.class)
@interface OnTestServer {

	/**
	 * Connects a context.
	 */
	final class Connection implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			// Netty, of the reactive driver, waits two seconds when a context is closed.
			TestPropertyValues.of(new ApplicationDatabase().connectionProperties())
				.and("spring.autoconfigure.exclude=" + MongoReactiveAutoConfiguration.class.getName())
				.applyTo(context);
		}

	}

	/**
	 * Connects a context with the reactive driver, too.
	 */
	final class ReactiveConnection implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			TestPropertyValues.of(new ApplicationDatabase().connectionProperties()).applyTo(context);
		}

	}

}

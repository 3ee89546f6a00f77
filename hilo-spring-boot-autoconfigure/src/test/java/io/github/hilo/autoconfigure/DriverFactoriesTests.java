package io.github.hilo.autoconfigure;

import java.util.stream.Stream;

import io.github.hilo.fixture.MongoTestServer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DriverFactories}.
 */
class DriverFactoriesTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@Test
	void templatesAndFactoriesAreComparedOnce() {
		Stream.of("first", "second").forEach((name) -> this.beans.registerSingleton(name, factory()));
		BlockingTemplateDatabases databases = new BlockingTemplateDatabases(Assertions::fail,
				HiLoBlockingConfiguration.hiLoDatabases(this.beans), null, null);
		assertThat(databases.areOneDatabase()).isTrue();
		this.beans.registerSingleton("third", new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "audit"));
		assertThat(databases.areOneDatabase()).isTrue();
	}

	@Test
	void engineIsDestroyedBeforeTheDefaultFactoryAndTheClients() {
		this.beans.registerSingleton("factory", factory());
		this.beans.registerSingleton("client", MongoTestServer.client());
		assertThat(HiLoBlockingConfiguration.hiLoDatabases(this.beans).ofDefault().currentDatabase()).isNotNull();
		assertThat(Stream.of("factory", "client").map(this.beans::getDependentBeans))
			.allSatisfy((dependents) -> assertThat(dependents).containsExactly("hiLoEngine"));
	}

	private static MongoDatabaseFactory factory() {
		return new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "shop");
	}

}

package io.github.hilo.autoconfigure;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.github.hilo.fixture.MongoTestServer;
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
		AtomicInteger named = new AtomicInteger();
		BooleanSupplier alone = HiLoBlockingConfiguration.hiLoDatabases(this.beans)
			.ofTemplates(MongoDatabaseFactory::getMongoDatabase, (database) -> {
				named.incrementAndGet();
				return database.getName();
			})
			.one();
		assertThat(alone.getAsBoolean()).isTrue();
		assertThat(alone.getAsBoolean()).isTrue();
		assertThat(named).hasValue(2);
	}

	@Test
	void engineIsDestroyedBeforeTheDefaultFactoryAndTheClients() {
		this.beans.registerSingleton("factory", factory());
		this.beans.registerSingleton("client", MongoTestServer.client());
		assertThat(HiLoBlockingConfiguration.hiLoDatabases(this.beans).ofDefault().current().get()).isNotNull();
		assertThat(Stream.of("factory", "client").map(this.beans::getDependentBeans))
			.allSatisfy((dependents) -> assertThat(dependents).containsExactly("hiLoEngine"));
	}

	private static MongoDatabaseFactory factory() {
		return new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "shop");
	}

}

package io.github.hilo.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import com.mongodb.reactivestreams.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.internal.counter.ReactiveMongoRangeStores;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.Assignments;
import io.github.hilo.internal.mapping.MappedSequenceNames;
import io.github.hilo.internal.save.DefaultReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.save.ReactiveGeneratorDatabase;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.netty.channel.socket.SocketChannel;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

import static io.github.hilo.autoconfigure.HiLoAutoConfigurationTests.hasNoneOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link HiLoAutoConfiguration} with the reactive driver.
 */
class HiLoReactiveConfigurationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Class<?>[] REACTIVE_BEANS = { ReactiveHiLoIdGenerator.class,
			ReactiveHiLoBeforeConvertCallback.class };

	private static final Class<?>[] COMMON_BEANS = { HiLoProperties.class, HiLoEngine.class, HiLoLifecycle.class,
			HiLoEndpoint.class };

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner reactiveDriver = withEndpoint(
			ReactiveApplications.withReactiveDriver(this.database.connectionProperties()));

	private final ApplicationContextRunner bothDrivers = withEndpoint(
			ReactiveApplications.withBothDrivers(this.database.connectionProperties()));

	@Test
	void withReactiveDriverOnlyProvidesEverythingButTheBlockingCallback() {
		this.reactiveDriver.run((context) -> {
			hasEach(REACTIVE_BEANS).accept(context);
			hasEach(COMMON_BEANS).accept(context);
			assertThat(context).hasSingleBean(ReactiveMongoRangeStores.class)
				.doesNotHaveBean(HiLoBeforeConvertCallback.class)
				.hasBean("reactiveHiLoIdGenerator")
				.hasBean("hiLoIdGenerator");
			assertThat(insertedId(context)).isEqualTo("order/1-A");
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("order")).isEqualTo(2);
		});
	}

	@Test
	void withBothDriversTheViewsShareTheirRanges() {
		this.bothDrivers.run((context) -> {
			hasEach(REACTIVE_BEANS).accept(context);
			hasEach(COMMON_BEANS).accept(context);
			assertThat(context).hasSingleBean(HiLoBeforeConvertCallback.class);
			assertThat(insertedId(context)).isEqualTo("order/1-A");
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).isEqualTo("order/2-A");
			assertThat(this.database.max("order")).as("one range of 32").isEqualTo(32);
		});
	}

	@Test
	void withoutTheReactiveDriverOnlyTheBlockingSideIsThere() {
		FilteredClassLoader loader = new FilteredClassLoader(MongoClient.class, SocketChannel.class);
		this.bothDrivers.withClassLoader(loader).run((context) -> {
			hasEach(COMMON_BEANS).accept(context);
			assertThat(context).hasSingleBean(HiLoBeforeConvertCallback.class);
			hasNoneOf(REACTIVE_BEANS).accept(context);
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).isEqualTo("order/1-A");
		});
	}

	@Test
	void withoutAnyDriverBacksOff() {
		this.bothDrivers
			.withClassLoader(new FilteredClassLoader(MongoClient.class, com.mongodb.client.MongoClient.class))
			.run((context) -> {
				hasNoneOf(REACTIVE_BEANS).accept(context);
				hasNoneOf(COMMON_BEANS).accept(context);
			});
	}

	@Test
	void reactiveGeneratorOfTheUserIsUsedForReactiveSaves() {
		ReactiveHiLoIdGenerator generator = mock(ReactiveHiLoIdGenerator.class);
		given(generator.nextDocumentId(anyString())).willReturn(Mono.just("mine"));
		this.bothDrivers.withBean("users", ReactiveHiLoIdGenerator.class, () -> generator).run((context) -> {
			assertThat(context).getBean(ReactiveHiLoIdGenerator.class).isSameAs(generator);
			hasEach(COMMON_BEANS).accept(context);
			assertThat(insertedId(context)).isEqualTo("mine");
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).isEqualTo("order/1-A");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void generatorOfTheUserTakesTheReactiveSideWithIt(boolean both) {
		(both ? this.bothDrivers : this.reactiveDriver)
			.withBean("users", HiLoIdGenerator.class, () -> mock(HiLoIdGenerator.class))
			.run((context) -> {
				hasNoneOf(REACTIVE_BEANS).accept(context);
				hasNoneOf(HiLoEngine.class, HiLoLifecycle.class, HiLoEndpoint.class).accept(context);
				assertThat(insertedId(context)).hasSize(24);
			});
	}

	@Test
	void callbackOfTheUserIsUsed() {
		this.reactiveDriver.withUserConfiguration(UserCallback.class).run((context) -> {
			assertThat(context).hasSingleBean(ReactiveHiLoBeforeConvertCallback.class).hasBean("users");
			assertThat(insertedId(context)).hasSize(24);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void beanThatSavesWhileItIsDestroyedStillGetsItsIdAndTheRestGoesBack(boolean both) {
		(both ? this.bothDrivers : this.reactiveDriver).withBean(Saver.class)
			.run((context) -> assertThat(insertedId(context)).isEqualTo("order/1-A"));
		assertThat(this.database.ids("order")).containsExactly("order/1-A", "order/2-A");
		assertThat(this.database.max("order")).isEqualTo(2);
	}

	private static @Nullable String insertedId(AssertableApplicationContext context) {
		return Objects
			.requireNonNull(context.getBean(ReactiveMongoTemplate.class).insert(new Order(null)).block(PATIENCE))
			.id();
	}

	private static ApplicationContextRunner withEndpoint(ApplicationContextRunner runner) {
		return runner.withConfiguration(AutoConfigurations.of(HiLoEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=hilo");
	}

	private static ContextConsumer<AssertableApplicationContext> hasEach(Class<?>... types) {
		return (context) -> assertThat(types).allSatisfy((type) -> assertThat(context).hasSingleBean(type));
	}

	record Order(@Nullable String id) {
	}

	@Configuration(proxyBeanMethods = false)
	static class UserCallback {

		@Bean
		ReactiveHiLoBeforeConvertCallback users() {
			return new DefaultReactiveHiLoBeforeConvertCallback(
					Assignments.of(new MappedSequenceNames(MongoMappingContext::new,
							() -> (type, collection) -> collection, List::of), AssignIds.NONE, List.of()),
					null, new ReactiveGeneratorDatabase(() -> mock(ReactiveHiLoIdGenerator.class)));
		}

	}

	/**
	 * Saves a last document, as beans with a buffer do.
	 */
	record Saver(ReactiveMongoTemplate template) {

		@PreDestroy
		void saveLast() {
			this.template.insert(new Order(null)).block(PATIENCE);
		}

	}

}

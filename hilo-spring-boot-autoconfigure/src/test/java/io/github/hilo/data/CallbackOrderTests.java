package io.github.hilo.data;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.Thorough;
import io.netty.channel.socket.SocketChannel;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.CreatedBy;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.domain.ReactiveAuditorAware;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.config.EnableMongoAuditing;
import org.springframework.data.mongodb.config.EnableReactiveMongoAuditing;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.event.AbstractMongoEventListener;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertEvent;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * Who may set an id before a save does, with a blocking and a reactive template. The
 * applications import auto-configurations as Spring Boot does, after their own beans.
 */
@ParameterizedClass
@ValueSource(booleans = { false, true })
@Thorough
class CallbackOrderTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Parameter
	private boolean reactive;

	@ParameterizedTest
	@MethodSource
	void idOfTheApplicationIsKeptAndNoNumberIsTaken(Class<?>[] setsIds) {
		run((app) -> {
			Entry saved = insert(app, new Entry());
			assertThat(saved.id).isEqualTo("own");
			assertThat(this.database.ids("entries")).containsExactly("own");
			assertThat(this.database.counters()).isEmpty();
		}, setsIds);
	}

	static Stream<Arguments> idOfTheApplicationIsKeptAndNoNumberIsTaken() {
		return Stream.of(
				argumentSet("callback without an order",
						(Object) new Class<?>[] { OwnIds.class, OwnReactiveIds.class }),
				argumentSet("event listener", (Object) new Class<?>[] { EventListener.class }));
	}

	@Test
	void auditingComesBeforeIdsThatAreSetByCallbacks() {
		run((app) -> assertAudited(insert(app, new Entry()), "entries/1-A"));
		run((app) -> assertAudited(insert(app, new Entry()), "own"), OwnIds.class, OwnReactiveIds.class);
	}

	private static void assertAudited(Entry saved, String id) {
		assertThat(saved.id).isEqualTo(id);
		assertThat(saved.created).isNotNull();
	}

	@Test
	void auditingComesAfterListenersAndTakesAnEntityWithAnIdForAnOldOneUnlessItHasAVersion() {
		run((app) -> {
			assertThat(insert(app, new Entry()).created).isNull();
			assertAudited(insert(app, new VersionedEntry()), "own");
		}, EventListener.class);
	}

	@Test
	void idThatAuditingSetsIsKept() {
		run((app) -> {
			assertThat(insert(app, new Profile(null)).user()).isEqualTo("ada");
			assertThat(this.database.counters()).isEmpty();
		});
	}

	@Test
	void callbackThatIsPassedLastRunsLast() {
		run((app) -> {
			app.template()
				.setEntityCallbacks(EntityCallbacks.create(new OwnIds(), app.bean(HiLoBeforeConvertCallback.class)));
			app.reactiveTemplate()
				.setEntityCallbacks(ReactiveEntityCallbacks.create(new OwnReactiveIds(),
						app.bean(ReactiveHiLoBeforeConvertCallback.class)));
			assertThat(insert(app, new Entry()).id).isEqualTo("own");
			assertThat(insert(app, new VersionedEntry()).id).isEqualTo("own");
			assertThat(insert(app, new Profile(null)).user()).isEqualTo("profiles/1-A");
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/profiles");
		});
	}

	private <T> T insert(TestApplication app, T entity) {
		return this.reactive ? Objects.requireNonNull(app.reactiveTemplate().insert(entity).block(PATIENCE))
				: app.template().insert(entity);
	}

	private void run(ThrowingConsumer<TestApplication> test, Class<?>... configurations) {
		TestApplications.run(new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withUserConfiguration(configurations)
			.withClassLoader(new FilteredClassLoader(SocketChannel.class))
			.withPropertyValues(this.database.connectionProperties()), test);
	}

	/**
	 * What every application of this test has.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableMongoAuditing
	@EnableReactiveMongoAuditing
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, MongoReactiveAutoConfiguration.class,
			DataMongoAutoConfiguration.class, DataMongoReactiveAutoConfiguration.class, HiLoAutoConfiguration.class })
	static class Application {

		@Bean
		AuditorAware<String> auditor() {
			return () -> Optional.of("ada");
		}

		@Bean
		ReactiveAuditorAware<String> reactiveAuditor() {
			return () -> Mono.just("ada");
		}

	}

	static class OwnIds implements BeforeConvertCallback<Entry> {

		@Override
		public Entry onBeforeConvert(Entry entry, String collection) {
			return entry.withOwnId();
		}

	}

	static class OwnReactiveIds implements ReactiveBeforeConvertCallback<Entry> {

		@Override
		public Mono<Entry> onBeforeConvert(Entry entry, String collection) {
			return Mono.just(entry.withOwnId());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EventListener {

		@Bean
		AbstractMongoEventListener<Entry> ownIds() {
			return new AbstractMongoEventListener<>() {

				@Override
				public void onBeforeConvert(BeforeConvertEvent<Entry> event) {
					event.getSource().withOwnId();
				}

			};
		}

	}

	@Document("entries")
	static class Entry {

		@Nullable String id;

		@CreatedDate
		@Nullable Instant created;

		Entry withOwnId() {
			this.id = "own";
			return this;
		}

	}

	@Document("versioned")
	static class VersionedEntry extends Entry {

		@Version
		@Nullable Long version;

	}

	@Document("profiles")
	record Profile(@Id @CreatedBy @Nullable String user) {
	}

}

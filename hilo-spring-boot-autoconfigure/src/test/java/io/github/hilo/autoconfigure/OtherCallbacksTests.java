package io.github.hilo.autoconfigure;

import java.util.Objects;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.internal.save.ExcludingCallback;
import io.github.hilo.internal.save.ReactiveExcludingCallback;
import io.github.hilo.internal.save.TemplateCallback;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeSaveCallback;

import static io.github.hilo.fixture.TestApplications.run;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callbacks of others beside ours, or instead of ours, with a blocking and a reactive
 * template.
 */
@ParameterizedClass
@ValueSource(booleans = { false, true })
class OtherCallbacksTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Parameter
	private boolean reactive;

	/**
	 * The names of these auto-configurations come after those of the starter.
	 */
	@ParameterizedTest
	@ValueSource(classes = { SlipIdsAutoConfiguration.class, SlipIdsAfterOursAutoConfiguration.class })
	void callbackWithoutAnOrderComesFirst(Class<?> others) {
		run(this.applications.reactive(true).withConfiguration(AutoConfigurations.of(others)), this::assertOwnId);
	}

	@Test
	void callbackOfAParentComesFirst() {
		new ApplicationContextRunner().withUserConfiguration(SlipIdsAutoConfiguration.class)
			.run((parent) -> run(this.applications.reactive(true).withParent(parent), this::assertOwnId));
	}

	@Test
	void callbackComesFirstInATemplateThatIsNoBean() {
		run(this.applications.reactive(true).withConfiguration(AutoConfigurations.of(SlipIdsAutoConfiguration.class)),
				(app) -> {
					Object template = template(app);
					((ApplicationContextAware) template).setApplicationContext(app.context());
					assertThat(insert(template, new Slip(null)).id()).isEqualTo("own");
					Object other = template(app);
					setCallbacks(other, app.context());
					assertThat(insert(other, new Slip(null), "others").id()).isEqualTo("own");
				});
	}

	private void assertOwnId(TestApplication app) {
		assertThat(insert(templateBean(app), new Slip(null)).id()).isEqualTo("own");
		assertThat(this.database.counters()).isEmpty();
	}

	@Test
	void chosenNumberIsNotIssuedIfTheApplicationReplacesOurCallback() {
		run(this.applications.reactive(true).withUserConfiguration(Replacing.class), (app) -> {
			assertThat(app.bean(HiLoBeforeConvertCallback.class)).isInstanceOf(NoIds.class);
			assertThat(app.bean(ReactiveHiLoBeforeConvertCallback.class)).isInstanceOf(NoReactiveIds.class);
			assertNotIssued(app, templateBean(app));
		});
	}

	@Test
	void chosenNumberIsNotIssuedIfATemplateHasOurCallbackAlone() {
		run(this.applications.reactive(true), (app) -> {
			Object template = template(app);
			if (this.reactive) {
				((ReactiveMongoTemplate) template).setEntityCallbacks(
						ReactiveEntityCallbacks.create(app.bean(ReactiveHiLoBeforeConvertCallback.class)));
			}
			else {
				((MongoTemplate) template)
					.setEntityCallbacks(EntityCallbacks.create(app.bean(HiLoBeforeConvertCallback.class)));
			}
			assertNotIssued(app, template);
		});
	}

	@Test
	void chosenNumberIsNotIssuedIfATemplateHasACopyAlone() {
		run(this.applications.reactive(true), (app) -> {
			Object template = template(app);
			if (this.reactive) {
				((ReactiveMongoTemplate) template)
					.setEntityCallbacks(ReactiveEntityCallbacks.create(app.bean(ReactiveHiLoBeforeConvertCallback.class)
						.withGenerator(app.reactiveGenerator().forDatabase(this.database.name()))));
			}
			else {
				((MongoTemplate) template)
					.setEntityCallbacks(EntityCallbacks.create(app.bean(HiLoBeforeConvertCallback.class)
						.withGenerator(app.generator().forDatabase(this.database.name()))));
			}
			assertNotIssued(app, template);
		});
	}

	private void assertNotIssued(TestApplication app, Object template) {
		assertThat(app.generator().nextId(Ticket.class)).isEqualTo(1);
		insert(template, new Ticket(2L));
		assertThat(app.generator().nextId(Ticket.class)).isEqualTo(3);
	}

	/**
	 * The copy that assigns ids excludes them, too, so a template bean gets no other copy
	 * that does.
	 */
	@Test
	void templateExcludesAnIdOnce() {
		run(this.applications.reactive(true), (app) -> {
			Class<?> type = this.reactive ? ReactiveHiLoBeforeConvertCallback.class : HiLoBeforeConvertCallback.class;
			TemplateCallback whole = (TemplateCallback) app.bean(type);
			assertThat(whole.forTemplate(templateBean(app))).isInstanceOfAny(BeforeSaveCallback.class,
					ReactiveBeforeSaveCallback.class);
			assertThat(Stream.of(app.bean(ExcludingCallback.class), app.bean(ReactiveExcludingCallback.class))
				.filter((excluding) -> excluding.isCoveredBy(whole))).hasSize(1);
		});
	}

	private Object templateBean(TestApplication app) {
		return this.reactive ? app.reactiveTemplate() : app.template();
	}

	private Object template(TestApplication app) {
		return this.reactive ? new ReactiveMongoTemplate(app.bean(ReactiveMongoDatabaseFactory.class))
				: new MongoTemplate(app.bean(MongoClient.class), this.database.name());
	}

	private void setCallbacks(Object template, ApplicationContext context) {
		if (this.reactive) {
			((ReactiveMongoTemplate) template).setEntityCallbacks(ReactiveEntityCallbacks.create(context));
		}
		else {
			((MongoTemplate) template).setEntityCallbacks(EntityCallbacks.create(context));
		}
	}

	private <T> T insert(Object template, T entity) {
		return insert(template, entity, entity.getClass().getSimpleName());
	}

	private <T> T insert(Object template, T entity, String collection) {
		return this.reactive
				? Objects.requireNonNull(((ReactiveMongoTemplate) template).insert(entity, collection).block())
				: ((MongoTemplate) template).insert(entity, collection);
	}

	record Slip(@Nullable String id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("Ticket")
	record Ticket(@Nullable Long id) {
	}

	@AutoConfiguration
	static class SlipIdsAutoConfiguration {

		@Bean
		BeforeConvertCallback<Slip> slipIds() {
			return (slip, collection) -> (slip.id() != null) ? slip : new Slip("own");
		}

		@Bean
		ReactiveBeforeConvertCallback<Slip> reactiveSlipIds() {
			return (slip, collection) -> Mono.just((slip.id() != null) ? slip : new Slip("own"));
		}

	}

	@AutoConfiguration(after = HiLoAutoConfiguration.class)
	static class SlipIdsAfterOursAutoConfiguration extends SlipIdsAutoConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class Replacing {

		@Bean
		HiLoBeforeConvertCallback users() {
			return new NoIds();
		}

		@Bean
		ReactiveHiLoBeforeConvertCallback reactiveUsers() {
			return new NoReactiveIds();
		}

	}

	private static final class NoIds implements HiLoBeforeConvertCallback {

		@Override
		public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
			return this;
		}

		@Override
		public Object onBeforeConvert(Object entity, String collection) {
			return entity;
		}

	}

	private static final class NoReactiveIds implements ReactiveHiLoBeforeConvertCallback {

		@Override
		public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
			return this;
		}

		@Override
		public Publisher<Object> onBeforeConvert(Object entity, String collection) {
			return Mono.just(entity);
		}

	}

}

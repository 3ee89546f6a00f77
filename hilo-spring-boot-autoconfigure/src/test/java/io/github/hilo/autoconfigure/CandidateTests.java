package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Answers;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Which beans of an application replace those of the starter: only candidates for
 * injection by type.
 */
class CandidateTests {

	private static final Kind REACTIVE_GENERATOR = new Kind(ReactiveHiLoIdGenerator.class, "reactiveHiLoIdGenerator",
			(context) -> mock(ReactiveHiLoIdGenerator.class, Answers.RETURNS_MOCKS));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final ApplicationDatabase audit = this.applications.newDatabase();

	private final ApplicationContextRunner application = this.applications.reactive(true);

	private static Stream<Kind> generatorsAndNaming() {
		return Stream.of(new Kind(HiLoIdGenerator.class, "hiLoIdGenerator", (context) -> new InMemoryHiLoIdGenerator()),
				REACTIVE_GENERATOR, new Kind(HiLoNamingStrategy.class, "hiLoNamingStrategy",
						(context) -> (HiLoNamingStrategy) (type, collection) -> "users"));
	}

	private static Stream<Kind> callbacks() {
		return Stream.of(
				new Kind(HiLoBeforeConvertCallback.class, "hiLoBeforeConvertCallback",
						(context) -> beansOf(context, HiLoBeforeConvertCallback.class)
							.map((ours) -> ours.withGenerator(new InMemoryHiLoIdGenerator()))
							.findFirst()
							.orElseGet(() -> mock(HiLoBeforeConvertCallback.class))),
				new Kind(ReactiveHiLoBeforeConvertCallback.class, "reactiveHiLoBeforeConvertCallback",
						(context) -> beansOf(context, ReactiveHiLoBeforeConvertCallback.class)
							.map((ours) -> ours.withGenerator(mock(ReactiveHiLoIdGenerator.class)))
							.findFirst()
							.orElseGet(() -> mock(ReactiveHiLoBeforeConvertCallback.class))));
	}

	private static <T> Stream<T> beansOf(ApplicationContext context, Class<T> type) {
		return Stream.of(context.getBeanNamesForType(type))
			.filter((name) -> !name.equals("users"))
			.map((name) -> context.getBean(name, type));
	}

	private static Stream<Kind> kinds() {
		return Stream.concat(generatorsAndNaming(), callbacks());
	}

	@Test
	void generatorOfAnotherDatabaseIsInjectedByItsNameAlone() {
		this.application.withPropertyValues("audit=" + this.audit.name())
			.withUserConfiguration(WithAuditIds.class)
			.run((context) -> {
				assertSavesCountAsAlways(context);
				Holder holder = context.getBean(Holder.class);
				assertThat(holder.ids().nextId("order")).isEqualTo(5);
				assertThat(holder.auditIds().nextId("order")).isEqualTo(1);
			});
		assertThat(this.audit.max("order")).isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource
	void beanThatIsNoCandidateReplacesNothingAndServesNoSave(Kind kind, Consumer<AbstractBeanDefinition> status) {
		with(this.application, kind, status).run((context) -> {
			assertThat(context).hasBean("users").hasBean(kind.ours());
			assertSavesCountAsAlways(context);
		});
	}

	static Stream<Arguments> beanThatIsNoCandidateReplacesNothingAndServesNoSave() {
		return kinds().flatMap((kind) -> Stream
			.<Consumer<AbstractBeanDefinition>>of((definition) -> definition.setDefaultCandidate(false),
					(definition) -> definition.setAutowireCandidate(false))
			.map((status) -> Arguments.of(kind, status)));
	}

	@ParameterizedTest
	@MethodSource
	void primaryAndFallbackBeansReplaceOurs(Kind kind, Consumer<AbstractBeanDefinition> status) {
		with(this.application, kind, status)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("users").doesNotHaveBean(kind.ours()));
	}

	static Stream<Arguments> primaryAndFallbackBeansReplaceOurs() {
		return kinds().flatMap(
				(kind) -> Stream
					.<Consumer<AbstractBeanDefinition>>of((definition) -> definition.setPrimary(true),
							(definition) -> definition.setFallback(true))
					.map((status) -> Arguments.of(kind, status)));
	}

	@ParameterizedTest
	@MethodSource("generatorsAndNaming")
	void beanOfAParentThatIsNoCandidateReplacesNothing(Kind kind) {
		with(new ApplicationContextRunner(), kind, (definition) -> definition.setDefaultCandidate(false))
			.run((parent) -> this.application.withParent(parent).run(this::assertSavesCountAsAlways));
	}

	/**
	 * Reactive saves failed, because neither of the two generators took precedence.
	 */
	@Test
	void reactiveGeneratorOfTheApplicationInAParentStandsBesideThatOfTheChild() {
		with(new ApplicationContextRunner(), REACTIVE_GENERATOR, (definition) -> {
		}).run((parent) -> this.application.withParent(parent).run(this::assertSavesCountAsAlways));
	}

	private ApplicationContextRunner with(ApplicationContextRunner runner, Kind kind,
			Consumer<AbstractBeanDefinition> status) {
		return runner.withInitializer((context) -> register((GenericApplicationContext) context, kind, status));
	}

	private <T> void register(GenericApplicationContext context, Kind kind, Consumer<AbstractBeanDefinition> status) {
		@SuppressWarnings("unchecked")
		Class<T> type = (Class<T>) kind.type();
		context.registerBean("users", type, () -> type.cast(kind.users().apply(context)),
				(definition) -> status.accept((AbstractBeanDefinition) definition));
	}

	private void assertSavesCountAsAlways(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		List<@Nullable String> ids = Stream.of(1, 2)
			.flatMap((i) -> Stream.of(context.getBean(MongoTemplate.class).insert(new Order(null)),
					Objects
						.requireNonNull(context.getBean(ReactiveMongoTemplate.class).insert(new Order(null)).block())))
			.map(Order::id)
			.toList();
		assertThat(ids).containsExactly("order/1-A", "order/2-A", "order/3-A", "order/4-A");
		assertThat(this.database.max("order")).isEqualTo(32);
	}

	record Order(@Nullable String id) {
	}

	/**
	 * A type of bean that an application can replace.
	 *
	 * @param ours the name of the starter's bean
	 * @param users makes the application's bean
	 */
	private record Kind(Class<?> type, String ours, Function<ApplicationContext, Object> users) {

		@Override
		public String toString() {
			return this.ours;
		}

	}

	record Holder(HiLoIdGenerator ids, HiLoIdGenerator auditIds) {
	}

	@Configuration(proxyBeanMethods = false)
	static class WithAuditIds {

		@Bean(defaultCandidate = false)
		HiLoIdGenerator auditIds(HiLoIdGenerator ids, @Value("${audit}") String database) {
			return ids.forDatabase(database);
		}

		@Bean
		Holder holder(HiLoIdGenerator ids, @Qualifier("auditIds") HiLoIdGenerator auditIds, HiLoEngine engine) {
			assertThat(ids).isSameAs(engine.generator());
			return new Holder(ids, auditIds);
		}

	}

}

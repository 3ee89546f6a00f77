package io.github.hilo.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.actuate.HiLoEndpoint;
import io.github.hilo.actuate.HiLoEndpoint.HiLoDescriptor;
import io.github.hilo.actuate.HiLoHealthIndicator;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.sequence.SequenceSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring generates ahead of time, and what it tells a native image to keep.
 */
class AheadOfTimeTests {

	private static final String[] PROPERTIES = { "management.endpoints.web.exposure.include=hilo", "hilo.naming=raven",
			"hilo.sequences.orders.initial-value=7" };

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final TestGenerationContext generated = new TestGenerationContext();

	@Test
	@CompileWithForkedClassLoader
	@Thorough
	void applicationRunsOnWhatWasGenerated() {
		run((context) -> {
			assertThat(context.getBean(MongoOperations.class).insert(new Order(null)).id()).isEqualTo("orders/7-A");
			assertThat(context.getBean(HiLoIdGenerator.class).nextId(Order.class)).isEqualTo(8);
			assertThat(context.getBean(HiLoEndpoint.class).sequences().databases()).containsKey(this.database.name());
			assertThat(context.getBean(HiLoLifecycle.class).isRunning()).isTrue();
			assertThat(context.getBean(HiLoHealthIndicator.class).health())
				.satisfies((health) -> assertThat(health.getStatus()).isEqualTo(Status.UP));
			assertThat(context.getBean(MeterRegistry.class).get("hilo.ids.issued").functionCounter().count())
				.isEqualTo(2);
			assertThat(context.getBeanFactory().getDependentBeans("hiLoEngine"))
				.contains(context.getBeanNamesForType(MongoOperations.class));
		});
		assertThat(this.database.collection("@hilo").find().first()).isNotNull()
			.satisfies((counter) -> assertThat(counter.get("Max")).as("the rest went back").isEqualTo(8L));
	}

	@Test
	@CompileWithForkedClassLoader
	@Thorough
	void assignmentCanStillBeTurnedOffAtStart() {
		run((context) -> assertThat(context.getBean(MongoOperations.class).insert(new Order(null)).id())
			.matches("[0-9a-f]{24}"), "hilo.assign-ids=none");
	}

	@Test
	void operationsOfTheEndpointAreKept() {
		RuntimeHints hints = generate();
		assertThat(HiLoEndpoint.class.getDeclaredMethods())
			.filteredOn((method) -> method.isAnnotationPresent(ReadOperation.class)
					|| method.isAnnotationPresent(DeleteOperation.class))
			.isNotEmpty()
			.allSatisfy((method) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
				.accepts(hints));
	}

	@Test
	void jsonOfTheEndpointIsKept() {
		RuntimeHints hints = generate();
		Set<Class<?>> records = new LinkedHashSet<>();
		collectRecords(ResolvableType.forClass(HiLoDescriptor.class), records);
		assertThat(records).contains(HiLoDescriptor.class, SequenceSnapshot.class, SequenceSnapshot.Range.class,
				SequenceSnapshot.Failure.class);
		assertThat(records.stream()
			.flatMap((type) -> Stream.of(type.getRecordComponents()))
			.map(RecordComponent::getAccessor))
			.allSatisfy((accessor) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(accessor))
				.as("%s", accessor)
				.accepts(hints));
	}

	@Test
	void propertiesCanBeBound() {
		RuntimeHints hints = generate();
		assertThat(Stream.concat(Stream.of(HiLoProperties.class), Stream.of(HiLoProperties.class.getDeclaredClasses()))
			.map((type) -> type.getDeclaredConstructors()[0]))
			.allSatisfy((
					constructor) -> assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
						.as("%s", constructor)
						.accepts(hints));
	}

	@Test
	void generatorCanBeClosed() throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(HiLoEngine.class.getMethod("close")))
			.accepts(generate());
	}

	private RuntimeHints generate() {
		process();
		return this.generated.getRuntimeHints();
	}

	private ClassName process() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			configure(context);
			context.register(Meters.class);
			context.register(autoConfigurations());
			ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, this.generated);
			this.generated.writeGeneratedContent();
			return initializer;
		}
	}

	/**
	 * All of ours, and what they need, in their order.
	 */
	private static Class<?>[] autoConfigurations() {
		ClassLoader classLoader = AheadOfTimeTests.class.getClassLoader();
		Stream<Class<?>> ours = ImportCandidates.load(AutoConfiguration.class, classLoader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.github.hilo."))
			.map((name) -> ClassUtils.resolveClassName(name, classLoader));
		return Configurations.getClasses(AutoConfigurations.of(Stream
			.concat(ours,
					Stream.of(MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
							EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class))
			.toArray(Class<?>[]::new)));
	}

	private void run(Consumer<ConfigurableApplicationContext> test, String... startProperties) {
		ClassName initializer = process();
		TestCompiler.forSystem().with(this.generated).compile((compiled) -> {
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				configure(context);
				TestPropertyValues.of(startProperties).applyTo(context);
				initializer(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()))
					.initialize(context);
				context.refresh();
				test.accept(context);
			}
		});
	}

	@SuppressWarnings("unchecked")
	private static ApplicationContextInitializer<GenericApplicationContext> initializer(
			ApplicationContextInitializer<?> initializer) {
		return (ApplicationContextInitializer<GenericApplicationContext>) initializer;
	}

	private void configure(ConfigurableApplicationContext context) {
		context.getEnvironment().setConversionService(new ApplicationConversionService());
		TestPropertyValues.of(PROPERTIES).and(this.database.connectionProperties()).applyTo(context);
	}

	/**
	 * Collects the records of ours that a type is made of.
	 */
	private static void collectRecords(ResolvableType type, Set<Class<?>> records) {
		Class<?> resolved = type.toClass();
		if (resolved.isRecord() && records.add(resolved)) {
			for (RecordComponent component : resolved.getRecordComponents()) {
				collectRecords(ResolvableType.forMethodReturnType(component.getAccessor()), records);
			}
		}
		for (ResolvableType generic : type.getGenerics()) {
			collectRecords(generic, records);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Meters {

		@Bean
		SimpleMeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

	record Order(@Nullable String id) {
	}

}

package io.github.hilo.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.internal.actuate.HiLoEndpoint.HiLoDescriptor;
import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.internal.actuate.HiLoEndpointWebExtension;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;
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
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a native image is told to keep.
 */
class AheadOfTimeTests {

	private static final RuntimeHints HINTS = generate();

	@Test
	void operationsOfTheEndpointAreKept() {
		assertThat(Stream.of(HiLoEndpoint.class, HiLoEndpointWebExtension.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods()))
			.filter((method) -> method.isAnnotationPresent(ReadOperation.class)
					|| method.isAnnotationPresent(DeleteOperation.class)))
			.isNotEmpty()
			.allSatisfy((method) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
				.accepts(HINTS));
	}

	@Test
	void jsonOfTheEndpointIsKept() {
		Set<Class<?>> records = new LinkedHashSet<>();
		collectRecords(ResolvableType.forClass(HiLoDescriptor.class), records);
		assertThat(records).contains(HiLoDescriptor.class, SequenceSnapshot.class, SequenceSnapshot.Range.class,
				SequenceSnapshot.Failure.class);
		assertThat(records.stream()
			.flatMap((type) -> Stream.of(type.getRecordComponents()))
			.map(RecordComponent::getAccessor))
			.allSatisfy((accessor) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(accessor))
				.as("%s", accessor)
				.accepts(HINTS));
	}

	@Test
	void propertiesCanBeBound() {
		assertThat(Stream.concat(Stream.of(HiLoProperties.class), Stream.of(HiLoProperties.class.getDeclaredClasses()))
			.map((type) -> type.getDeclaredConstructors()[0]))
			.allSatisfy((
					constructor) -> assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
						.as("%s", constructor)
						.accepts(HINTS));
	}

	@Test
	void generatorCanBeClosed() throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(HiLoEngine.class.getMethod("close")))
			.accepts(HINTS);
	}

	private static RuntimeHints generate() {
		TestGenerationContext generated = new TestGenerationContext();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment().setConversionService(new ApplicationConversionService());
			TestPropertyValues.of("management.endpoints.web.exposure.include=hilo")
				.and(new ApplicationDatabase().connectionProperties())
				.applyTo(context);
			context.register(autoConfigurations());
			new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
		}
		return generated.getRuntimeHints();
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

}

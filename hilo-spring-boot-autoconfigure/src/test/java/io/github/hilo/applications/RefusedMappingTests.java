package io.github.hilo.applications;

import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.HiLoApplication;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.actuate.HiLoHealthIndicator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoManagedTypes;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.data.repository.Repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What somebody sees who got the mapping of a type wrong.
 */
@ExtendWith(OutputCaptureExtension.class)
@Thorough
class RefusedMappingTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void typesOfTheScanStopStartUpWithDescriptionAndAction(CapturedOutput output) {
		SpringApplicationBuilder application = HiLoApplication.with()
			.initializers((GenericApplicationContext context) -> context.registerBean(MongoManagedTypes.class,
					() -> MongoManagedTypes.from(Dog.class, Cat.class)));
		assertRefused(application,
				"but both types are stored in collection 'animals'. Two counters would give the same number to two"
						+ " documents, and one document would replace the other.",
				"Name one sequence for both with @HiLo(\"…\"), or put @HiLo(enabled = false) on one of them if it is only"
						+ " read.",
				output);
	}

	@ParameterizedTest
	@ValueSource(classes = { OfRepository.class, Saver.class })
	void typeOfARepositoryOrOfABeanThatSavesStopsStartUpWithDescriptionAndAction(Class<?> source,
			CapturedOutput output) {
		assertRefused(HiLoApplication.with(source), "The id 'id' of " + TextId.class.getName() + " is stored as String,"
				+ " so the checks of stored ids do not find its values, and a stored document could be overwritten.",
				"Store it as an int or a long, or put @HiLo(enabled = false) on the type and set the id yourself.",
				output);
	}

	@Test
	void ofTypesThatBecomeKnownLaterTheFirstThatGetsANumberKeepsTheCollection(CapturedOutput output) {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		ReactiveApplications.withBothDrivers(this.database.connectionProperties())
			.withBean(HiLoMetrics.class, () -> new HiLoMetrics(meters, ObservationRegistry.NOOP))
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				ReactiveHiLoIdGenerator reactive = context.getBean(ReactiveHiLoIdGenerator.class);
				MongoMappingContext mappings = context.getBean(MongoMappingContext.class);
				Stream.of(Dog.class, Cat.class).forEach(mappings::getRequiredPersistentEntity);
				assertThat(generator.nextId("cats")).isEqualTo(1);
				assertThat(output).containsOnlyOnce("Only one of two types can be saved")
					.contains("A number that is asked for one of them first decides", Dog.class.getName(),
							Cat.class.getName());
				assertThat(generator.nextId(Dog.class)).isEqualTo(1);
				Stream.<ThrowingCallable>of(() -> generator.nextId(Cat.class), () -> reactive.nextId(Cat.class).block())
					.forEach((call) -> assertThatIllegalStateException().isThrownBy(call)
						.withMessageContainingAll(Dog.class.getName(), Cat.class.getName(),
								"Name one sequence for both"));
				assertThat(generator.nextId("cats")).as("no call by name is refused").isEqualTo(2);
				assertThat(generator.nextId("birds")).isEqualTo(1);
				assertThat(meters.get(HiLoMetrics.RESERVATION_FAILURES)
					.tags("kind", "mapping", "sequence", "cats")
					.counters()
					.stream()
					.mapToDouble(Counter::count)
					.sum()).isEqualTo(2);
				Health health = new HiLoHealthIndicator(context.getBean(HiLoEngine.class)).health();
				assertThat(health.getStatus()).as("a refused call leaves its sequence available").isEqualTo(Status.UP);
			});
	}

	private void assertRefused(SpringApplicationBuilder application, String description, String action,
			CapturedOutput output) {
		assertThat(catchThrowable(() -> application.run(this.database.connectionArguments()).close())).rootCause()
			.isInstanceOf(IllegalStateException.class)
			.hasMessageEndingWith(description + " " + action);
		assertThat(output)
			.containsSubsequence("APPLICATION FAILED TO START", "Description:", description, "Action:", action)
			.doesNotContain("\tat ");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMongoRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = TextIds.class))
	static class OfRepository {

	}

	@Configuration(proxyBeanMethods = false)
	static class Saver {

		@Bean
		TextId saved(MongoOperations operations) {
			return operations.insert(new TextId(null));
		}

	}

	@HiLo("dogs")
	@Document("animals")
	record Dog(@Nullable Long id) {
	}

	@HiLo("cats")
	@Document("animals")
	record Cat(@Nullable Long id) {
	}

	record TextId(@Id @Field(targetType = FieldType.STRING) @Nullable Long id) {
	}

	interface TextIds extends Repository<TextId, Long> {

	}

}

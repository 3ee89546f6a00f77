package io.github.hilo.internal.save;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.convert.ValueConverter;
import org.springframework.data.mongodb.core.convert.MongoConversionContext;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.convert.MongoValueConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is stored is what was given out, whatever converters the application has.
 */
class SaveStepsTests {

	private static final ConverterBuilder PERSON_TO_TEXT = ConverterBuilder.writing(Person.class, Document.class,
			(person) -> new Document("_id", String.valueOf(person.id())));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@ParameterizedTest
	@MethodSource
	void saveOfANumberThatAConverterWritesAsSomethingElseFails(List<?> converters, Object entity, String form) {
		TestApplications.run(runner(converters),
				(app) -> assertThatIllegalStateException().isThrownBy(() -> app.template().save(entity))
					.withMessageContainingAll("is stored by a converter", form, entity.getClass().getName(),
							"overwritten", "@HiLo"));
		assertThat(this.database.ids("people")).isEmpty();
	}

	static Stream<Arguments> saveOfANumberThatAConverterWritesAsSomethingElseFails() {
		return Stream.of(arguments(List.of(PERSON_TO_TEXT), new Person(null, "Ada"), "not as 1 but as String 1"),
				arguments(
						List.of(ConverterBuilder.writing(Person.class, Document.class,
								(person) -> new Document("name", person.name()))),
						new Person(null, "Ada"), "not as 1 but as nothing"),
				arguments(List.of(ConverterBuilder.writing(Long.class, String.class, String::valueOf)),
						new Person(null, "Ada"), "String 1"),
				arguments(List.of(ConverterBuilder.writing(Long.class, Long.class, (number) -> number + 1)),
						new Counted("ada", null), "The property 'number'"),
				arguments(List.of(), new Doubled("ada", null), "Decimal128 2"));
	}

	@ParameterizedTest
	@MethodSource
	void whatIsStoredAsItIsIsNotRefused(ConverterBuilder converter, Object entity) {
		TestApplications.run(runner(List.of(converter)), (app) -> app.template().save(entity));
		assertThat(this.database.collection("people").find()).hasSize(1);
	}

	static Stream<Arguments> whatIsStoredAsItIsIsNotRefused() {
		return Stream.of(
				arguments(
						ConverterBuilder.writing(Person.class, Document.class,
								(person) -> new Document("_id", person.id()).append("name", person.name())),
						new Person(null, "Ada")),
				arguments(ConverterBuilder.writing(Long.class, Decimal128.class, Decimal128::new),
						new Counted("ada", null)),
				arguments(ConverterBuilder.writing(String.class, String.class, (text) -> text.toUpperCase(Locale.ROOT)),
						new Texted(null)));
	}

	@Test
	void idThatTheApplicationHasSetMayBeStoredAsAnything() {
		TestApplications.run(runner(List.of(PERSON_TO_TEXT)), (app) -> app.template().save(new Person(7L, "Ada")));
		assertThat(this.database.ids("people")).containsExactly("7");
	}

	private ApplicationContextRunner runner(List<?> converters) {
		return this.database.contextRunner()
			.withBean(MongoCustomConversions.class, () -> new MongoCustomConversions(converters));
	}

	@org.springframework.data.mongodb.core.mapping.Document("people")
	record Person(@Nullable Long id, String name) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("people")
	record Counted(@Id String name, @HiLo @Nullable Long number) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("people")
	record Texted(@Nullable String id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("people")
	record Doubled(@Id String name, @HiLo @ValueConverter(Doubling.class) @Nullable Long number) {
	}

	static final class Doubling implements MongoValueConverter<Long, Decimal128> {

		@Override
		public Long read(Decimal128 value, MongoConversionContext context) {
			return value.longValue() / 2;
		}

		@Override
		public Decimal128 write(Long value, MongoConversionContext context) {
			return new Decimal128(2 * value);
		}

	}

}

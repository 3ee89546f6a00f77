package io.github.hilo.internal.data;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.annotation.Id;
import org.springframework.data.convert.ValueConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.MongoConversionContext;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.convert.MongoValueConverter;
import org.springframework.data.mongodb.core.convert.NoOpDbRefResolver;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is stored is what was given out, whatever converters the application has.
 */
class StoredFormTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@AfterEach
	void dropDatabase() {
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@ParameterizedTest
	@MethodSource
	void saveOfANumberThatAConverterWritesAsSomethingElseFails(@Nullable Converter<?, ?> converter, Object entity,
			String form) {
		runner(converter).run((context) -> assertThatIllegalStateException()
			.isThrownBy(() -> context.getBean(MongoTemplate.class).save(entity))
			.withMessageContainingAll("is stored by a converter", form, entity.getClass().getName(), "overwritten",
					"@HiLo"));
		assertThat(this.database.ids("people")).isEmpty();
	}

	static Stream<Arguments> saveOfANumberThatAConverterWritesAsSomethingElseFails() {
		return Stream.of(arguments(new PersonToText(), new Person(null, "Ada"), "not as 1 but as String 1"),
				arguments(new PersonWithoutId(), new Person(null, "Ada"), "not as 1 but as nothing"),
				arguments(new LongToText(), new Person(null, "Ada"), "String 1"),
				arguments(new LongToNext(), new Counted("ada", null), "The property 'number'"),
				arguments(null, new Doubled("ada", null), "Decimal128 2"));
	}

	@Test
	void reactiveSaveFailsAsWell() {
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties())
			.withBean(MongoCustomConversions.class, () -> new MongoCustomConversions(List.of(new PersonToText())))
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(ReactiveMongoTemplate.class).insert(new Person(null, "Ada")).block())
				.withMessageContaining("String 1"));
		assertThat(this.database.ids("people")).isEmpty();
	}

	@Test
	void converterOfTheTemplateThatSavesIsTheOneThatCounts() {
		this.database.contextRunner().run((context) -> {
			MappingMongoConverter converter = new MappingMongoConverter(NoOpDbRefResolver.INSTANCE,
					context.getBean(MongoMappingContext.class));
			converter.setCustomConversions(new MongoCustomConversions(List.of(new PersonToText())));
			converter.afterPropertiesSet();
			MongoTemplate other = new MongoTemplate(context.getBean(MongoDatabaseFactory.class), converter);
			other.setApplicationContext(context);
			context.getBeanFactory().initializeBean(other, "other");
			assertThatIllegalStateException().isThrownBy(() -> other.save(new Person(null, "Ada")));
			assertThat(context.getBean(MongoTemplate.class).save(new Person(null, "Ada")).id()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@MethodSource
	void whatIsStoredAsItIsIsNotRefused(Converter<?, ?> converter, Object entity) {
		runner(converter).run((context) -> context.getBean(MongoTemplate.class).save(entity));
		assertThat(this.database.collection("people").find()).hasSize(1);
	}

	static Stream<Arguments> whatIsStoredAsItIsIsNotRefused() {
		return Stream.of(arguments(new PersonToDocument(), new Person(null, "Ada")),
				arguments(new LongToDecimal(), new Counted("ada", null)),
				arguments(new TextToUpperCase(), new Texted(null)));
	}

	@Test
	void idThatTheApplicationHasSetMayBeStoredAsAnything() {
		runner(new PersonToText()).run((context) -> context.getBean(MongoTemplate.class).save(new Person(7L, "Ada")));
		assertThat(this.database.ids("people")).containsExactly("7");
	}

	private ApplicationContextRunner runner(@Nullable Converter<?, ?> converter) {
		ApplicationContextRunner runner = this.database.contextRunner();
		return (converter == null) ? runner
				: runner.withBean(MongoCustomConversions.class, () -> new MongoCustomConversions(List.of(converter)));
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

	@WritingConverter
	static final class PersonToText implements Converter<Person, Document> {

		@Override
		public Document convert(Person person) {
			return new Document("_id", String.valueOf(person.id())).append("name", person.name());
		}

	}

	@WritingConverter
	static final class PersonWithoutId implements Converter<Person, Document> {

		@Override
		public Document convert(Person person) {
			return new Document("name", person.name());
		}

	}

	@WritingConverter
	static final class PersonToDocument implements Converter<Person, Document> {

		@Override
		public Document convert(Person person) {
			return new Document("_id", person.id()).append("name", person.name());
		}

	}

	@WritingConverter
	static final class LongToText implements Converter<Long, String> {

		@Override
		public String convert(Long number) {
			return number.toString();
		}

	}

	@WritingConverter
	static final class LongToNext implements Converter<Long, Long> {

		@Override
		public Long convert(Long number) {
			return number + 1;
		}

	}

	@WritingConverter
	static final class LongToDecimal implements Converter<Long, Decimal128> {

		@Override
		public Decimal128 convert(Long number) {
			return new Decimal128(number);
		}

	}

	@WritingConverter
	static final class TextToUpperCase implements Converter<String, String> {

		@Override
		public String convert(String text) {
			return text.toUpperCase(Locale.ROOT);
		}

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

package io.github.hilo.data;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.WithInformation;
import io.github.hilo.internal.mapping.MappingReport;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.annotation.Id;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.convert.ConverterBuilder.ConverterAware;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.convert.NoOpDbRefResolver;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.DocumentReference;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.MongoId;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Ids and numbers of types of the application's own.
 */
@ExtendWith({ OutputCaptureExtension.class, WithInformation.class })
class OwnTypeTests {

	private static final ConverterAware NEXT_ORDER_IDS = ConverterBuilder
		.writing(OrderId.class, Long.class, (id) -> id.value() + 1)
		.andReading(OrderId::new);

	private static final MongoCustomConversions CONVERSIONS = new MongoCustomConversions(
			List.of(new OrderIdToLong(), new LongToOrderId(),
					ConverterBuilder.writing(CustomerId.class, String.class, CustomerId::value)
						.andReading(CustomerId::new),
					ConverterBuilder.writing(PartNo.class, Integer.class, PartNo::value).andReading(PartNo::new),
					ConverterBuilder.writing(OutId.class, Long.class, OutId::value),
					ConverterBuilder.reading(Long.class, InId.class, InId::new)));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@MethodSource
	void nullGetsAValueAndOneThatIsSetStays(Object missing, Object first, Object set, List<?> stored) {
		run((app) -> {
			MongoTemplate template = app.template();
			assertThat(template.insert(missing)).isEqualTo(first);
			assertThat(template.save(set)).isEqualTo(set);
			assertThat(template.findAll(first.getClass())).extracting(Object.class::cast)
				.containsExactlyInAnyOrder(first, set);
		});
		assertThat(this.database.ids("own")).containsExactlyElementsOf(stored);
	}

	static Stream<Arguments> nullGetsAValueAndOneThatIsSetStays() {
		return Stream.of(
				arguments(new Order(null), new Order(new OrderId(1)), new Order(new OrderId(900)), List.of(1L, 900L)),
				arguments(new Customer(null), new Customer(new CustomerId("own/1-A")),
						new Customer(new CustomerId("mine")), List.of("mine", "own/1-A")),
				arguments(new Part(null), new Part(new PartNo(1)), new Part(new PartNo(900)), List.of(1, 900)));
	}

	@Test
	void propertiesGetNumbersAndTexts() {
		run((app) -> {
			MongoTemplate template = app.template();
			Numbered saved = template.insert(new Numbered("a", null, null, null));
			assertThat(saved)
				.isEqualTo(new Numbered("a", new OrderId(1), new CustomerId("numbered.text/1-A"), new PartNo(1)));
			assertThat(template.findById("a", Numbered.class)).isEqualTo(saved);
			Numbered set = new Numbered("b", new OrderId(7), new CustomerId("x"), new PartNo(8));
			assertThat(template.save(set)).isEqualTo(set);
			assertThat(template.findById("b", Numbered.class)).isEqualTo(set);
		});
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/numbered.no", "Raven/HiLo/numbered.part",
				"Raven/HiLo/numbered.text");
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "true, false", "false, true", "false, false" })
	void idsOfATypeAreCheckedWhereTheyAreStored(boolean saved, boolean text) {
		for (long number = 5; number <= 50; number += 5) {
			this.others.store("own", text ? "elsewhere/" + number + "-A" : number);
		}
		this.database.setCounter("elsewhere", 0L);
		TestApplications.run(runner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> "elsewhere"),
				(app) -> {
					HiLoIdGenerator generator = app.generator();
					generator.nextId("elsewhere"); // reserves before the type is known
					for (int i = 0; i < 20; i++) {
						app.template()
							.save(text
									? new Customer(
											saved ? null : new CustomerId(generator.nextDocumentId(Customer.class)))
									: new Order(saved ? null : new OrderId(generator.nextId(Order.class))));
					}
				});
		this.others.requireKept(20);
	}

	@Test
	void twoCountersOfOneCollectionAreRefused() {
		run((app) -> {
			MongoTemplate template = app.template();
			template.save(new Order(null));
			assertThatIllegalStateException().isThrownBy(() -> template.save(new Other(null)))
				.withMessageContainingAll("Numeric ids of", "'own'", "'others'");
			assertThat(this.database.ids("own")).containsExactly(1L);
		});
	}

	@Test
	void numberBeyondAnIntIsRefused() {
		this.database.setCounter("own", (long) Integer.MAX_VALUE);
		run((app) -> assertThatExceptionOfType(HiLoExhaustedException.class)
			.isThrownBy(() -> app.template().save(new Part(null)))
			.withMessageContaining("does not fit the int id of " + Part.class.getName()));
	}

	@Test
	void startUpLineNamesThem() {
		run((app) -> {
			know(app, Order.class, Customer.class);
			assertThat(app.bean(MappingReport.class).start())
				.isEqualTo("OwnTypeTests.Customer.id from 'own', OwnTypeTests.Order.id from 'own'");
		});
	}

	@ParameterizedTest
	@MethodSource
	void unsupportedOnesAreLeftWithALine(Object entity, Class<?> id, CapturedOutput output) {
		requireLeft(entity, "Cannot autogenerate id of type");
		assertThat(output).containsOnlyOnce(entity.getClass().getName() + " get no id from hilo: an id of type "
				+ id.getName() + " needs converters that write and read it");
	}

	static Stream<Arguments> unsupportedOnesAreLeftWithALine() {
		return Stream.of(arguments(new WrittenOnly(null), OutId.class), arguments(new ReadOnly(null), InId.class),
				arguments(new WithMongoId(null), OrderId.class), arguments(new WithField(null), OrderId.class));
	}

	@Test
	void referenceToOneIsLeftWithALine(CapturedOutput output) {
		requireLeft(new Referring("a", new Part(new PartNo(1))), "Unable to access value");
		assertThat(output).containsOnlyOnce("@DocumentReference on 'part' of " + Referring.class.getName());
	}

	private void requireLeft(Object entity, String failure) {
		run((app) -> {
			for (int i = 0; i < 2; i++) {
				assertThatException().isThrownBy(() -> app.template().insert(entity)).withMessageStartingWith(failure);
				know(app, entity.getClass());
				app.bean(MappingReport.class).start();
			}
		});
	}

	@Test
	void annotationOnATypeWithoutOurIdsNamesASequence(CapturedOutput output) {
		run((app) -> {
			know(app, Named.class, Compound.class);
			app.bean(MappingReport.class).start();
			app.generator().nextId(Named.class);
		});
		assertThat(output)
			.containsOnlyOnce("no id from hilo, so @HiLo on the type names only the sequence of"
					+ " nextId(OwnTypeTests.Named.class)")
			.doesNotContain(Compound.class.getName());
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/tickets");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void converterOfTheTemplateThatSavesIsTheOneThatCounts(boolean reactive) {
		TestApplications.run((reactive ? this.applications.reactive(false) : this.database.contextRunner())
			.withBean(MongoCustomConversions.class, () -> CONVERSIONS), (app) -> {
				Object other = reactive
						? new ReactiveMongoTemplate(app.bean(ReactiveMongoDatabaseFactory.class), another(app))
						: new MongoTemplate(app.bean(MongoDatabaseFactory.class), another(app));
				app.context().getAutowireCapableBeanFactory().autowireBean(other);
				assertThatIllegalStateException().isThrownBy(() -> save(other)).withMessageContaining("Long 2");
				assertThat(save(reactive ? app.reactiveTemplate() : app.template())).isEqualTo(new OrderId(2));
			});
	}

	private static @Nullable OrderId save(Object template) {
		Order order = new Order(null);
		return (template instanceof ReactiveMongoTemplate reactive)
				? Objects.requireNonNull(reactive.save(order).block()).id()
				: ((MongoTemplate) template).save(order).id();
	}

	/**
	 * Makes a converter that writes other numbers.
	 */
	private static MongoConverter another(TestApplication app) {
		MappingMongoConverter converter = new MappingMongoConverter(NoOpDbRefResolver.INSTANCE,
				app.bean(MongoMappingContext.class));
		converter.setCustomConversions(new MongoCustomConversions(List.of(NEXT_ORDER_IDS)));
		converter.afterPropertiesSet();
		return converter;
	}

	@Test
	void idIsThereBeforeTheConverterIs() {
		TestApplications.run(this.database.contextRunner().withUserConfiguration(Conversions.class, Early.class),
				(app) -> assertThat(app.bean(Early.class).number).isOne());
	}

	private static void know(TestApplication app, Class<?>... types) {
		List.of(types).forEach(app.bean(MongoMappingContext.class)::getPersistentEntity);
	}

	private void run(ThrowingConsumer<TestApplication> test) {
		TestApplications.run(runner(), test);
	}

	private ApplicationContextRunner runner() {
		return this.database.contextRunner().withBean(MongoCustomConversions.class, () -> CONVERSIONS);
	}

	@Configuration(proxyBeanMethods = false)
	static class Conversions {

		@Bean
		MongoCustomConversions conversions() {
			return new MongoCustomConversions(List.of(new OrderIdToLong(), new LongToOrderId()));
		}

	}

	static class Early {

		final long number;

		Early(HiLoIdGenerator generator) {
			this.number = generator.nextId(Order.class);
		}

	}

	record OrderId(long value) {
	}

	record CustomerId(String value) {
	}

	record PartNo(int value) {
	}

	record OutId(long value) {
	}

	record InId(long value) {
	}

	@Document("own")
	record Order(@Nullable OrderId id) {
	}

	@Document("own")
	record Customer(@Nullable CustomerId id) {
	}

	@Document("own")
	record Part(@Nullable PartNo id) {
	}

	@Document("own")
	@HiLo("others")
	record Other(@Nullable OrderId id) {
	}

	@Document("numbered")
	record Numbered(@Id String id, @HiLo @Nullable OrderId no, @HiLo @Nullable CustomerId text,
			@HiLo @Field("part") @Nullable PartNo number) {
	}

	@Document("unsupported")
	record WrittenOnly(@Nullable OutId id) {
	}

	@Document("unsupported")
	record ReadOnly(@Nullable InId id) {
	}

	@Document("unsupported")
	record WithMongoId(@MongoId @Nullable OrderId id) {
	}

	@Document("unsupported")
	record WithField(@Id @Field("_id") @Nullable OrderId id) {
	}

	@Document("unsupported")
	record Referring(@Id String id, @DocumentReference Part part) {
	}

	@Document("unsupported")
	record Compound(@Nullable Key id) {
	}

	record Key(long value, String branch) {
	}

	@Document("unsupported")
	@HiLo("tickets")
	record Named(@Nullable Instant id) {
	}

	@WritingConverter
	static final class OrderIdToLong implements Converter<OrderId, Long> {

		@Override
		public Long convert(OrderId id) {
			return id.value();
		}

	}

	@ReadingConverter
	static final class LongToOrderId implements Converter<Long, OrderId> {

		@Override
		public OrderId convert(Long value) {
			return new OrderId(value);
		}

	}

}

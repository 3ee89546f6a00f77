package io.github.hilo.data;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.internal.mapping.MissingValues;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

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
import org.springframework.data.mongodb.core.mapping.DBRef;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.DocumentReference;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.MongoId;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Ids and numbers of types of the application's own.
 */
@ExtendWith(OutputCaptureExtension.class)
class OwnTypeTests {

	private static final ConverterAware NEXT_ORDER_IDS = ConverterBuilder
		.writing(OrderId.class, Long.class, (id) -> id.value() + 1)
		.andReading(OrderId::new);

	private static final MongoCustomConversions CONVERSIONS = new MongoCustomConversions(List.of(new OrderIdToLong(),
			new LongToOrderId(),
			ConverterBuilder.writing(CustomerId.class, String.class, CustomerId::value).andReading(CustomerId::new),
			ConverterBuilder.writing(PartNo.class, Integer.class, (number) -> number.value).andReading(PartNo::new),
			ConverterBuilder.writing(OutId.class, Long.class, OutId::value),
			ConverterBuilder.reading(Long.class, InId.class, InId::new)));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@MethodSource("shapes")
	void nullGetsAValueAndOneThatIsSetStays(Shape<?, ?> shape) {
		run((app) -> shape.requireReadBack(app.template()));
		assertThat(this.database.ids("own")).containsExactlyElementsOf(shape.stored());
	}

	@ParameterizedTest
	@MethodSource("shapes")
	void reactiveNullGetsAValueAndOneThatIsSetStays(Shape<?, ?> shape) {
		runReactive((app) -> shape.requireReadBack(app.reactiveTemplate()));
		assertThat(this.database.ids("own")).containsExactlyElementsOf(shape.stored());
	}

	static Stream<Shape<?, ?>> shapes() {
		return Stream.of(
				new Shape<>(Order.class, Order::new, Order::id, new OrderId(1), new OrderId(900), List.of(1L, 900L)),
				new Shape<>(Customer.class, Customer::new, Customer::id, new CustomerId("own/1-A"),
						new CustomerId("mine"), List.of("mine", "own/1-A")),
				new Shape<>(Part.class, Part::new, Part::id, new PartNo(1), new PartNo(900), List.of(1, 900)),
				new Shape<>(Mutable.class, Mutable::new, (mutable) -> mutable.id, new OrderId(1), new OrderId(900),
						List.of(1L, 900L)));
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

	@Test
	void repositoriesAndReferencesKnowThem() {
		run((app) -> {
			MongoTemplate template = app.template();
			Orders orders = new MongoRepositoryFactory(template).getRepository(Orders.class);
			List<Order> saved = orders.saveAll(List.of(new Order(null), new Order(null)));
			assertThat(saved).extracting(Order::id).containsExactly(new OrderId(1), new OrderId(2));
			assertThat(orders.findById(new OrderId(2))).contains(saved.get(1));
			assertThat(orders.findAllById(List.of(new OrderId(1), new OrderId(2)))).hasSize(2);
			Invoice invoice = template.insert(new Invoice(null, saved.get(0)));
			assertThat(template.findById(Objects.requireNonNull(invoice.id()), Invoice.class)).isEqualTo(invoice);
		});
		assertThat(this.database.ids("invoices")).containsExactly("invoices/1-A");
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
	void idsThatTheApplicationSetsAreNotReplaced() {
		run((app) -> {
			MongoTemplate template = app.template();
			template.save(new Order(null));
			LongStream.rangeClosed(3, 5).forEach((i) -> template.save(new Order(new OrderId(i))));
			this.others.keepAll();
			LongStream.rangeClosed(1, 40).forEach((i) -> template.save(new Order(null)));
		});
		this.others.requireKept(40);
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
			assertThat(app.bean(MissingValues.class).summary())
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
		requireLeft(new Referring("a", new Part(new PartNo(1))), "Can't find a codec for");
		assertThat(output).containsOnlyOnce("@DocumentReference on 'part' of " + Referring.class.getName());
	}

	private void requireLeft(Object entity, String failure) {
		run((app) -> {
			for (int i = 0; i < 2; i++) {
				assertThatException().isThrownBy(() -> app.template().insert(entity)).withMessageStartingWith(failure);
				know(app, entity.getClass());
				app.bean(MissingValues.class).summary();
			}
		});
	}

	@Test
	void annotationOnATypeWithoutOurIdsNamesASequence(CapturedOutput output) {
		Logger logger = (Logger) LoggerFactory.getLogger(MissingValues.class);
		logger.setLevel(Level.INFO);
		try {
			run((app) -> {
				know(app, Named.class, Compound.class);
				app.bean(MissingValues.class).summary();
				app.generator().nextId(Named.class);
			});
		}
		finally {
			logger.setLevel(null);
		}
		assertThat(output)
			.containsOnlyOnce("no id from hilo, so @HiLo on the type names only the sequence of"
					+ " nextId(OwnTypeTests.Named.class)")
			.doesNotContain(Compound.class.getName());
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/tickets");
	}

	@Test
	void converterThatWritesSomethingElseIsRefused() {
		this.applications.run((app) -> assertThatException().isThrownBy(() -> app.template().insert(new Order(null))));
		TestApplications.run(
				this.database.contextRunner()
					.withBean(MongoCustomConversions.class, () -> new MongoCustomConversions(List.of(NEXT_ORDER_IDS))),
				(app) -> assertThatIllegalStateException().isThrownBy(() -> app.template().save(new Order(null)))
					.withMessageContainingAll("is stored by a converter, not as 1 but as Long 2",
							Order.class.getName()));
		assertThat(this.database.ids("own")).isEmpty();
	}

	@Test
	void converterOfTheTemplateThatSavesIsTheOneThatCounts() {
		run((app) -> {
			MongoTemplate other = new MongoTemplate(app.bean(MongoDatabaseFactory.class), another(app));
			app.context().getAutowireCapableBeanFactory().autowireBean(other);
			assertThatIllegalStateException().isThrownBy(() -> other.save(new Order(null)))
				.withMessageContaining("Long 2");
			assertThat(app.template().save(new Order(null)).id()).isEqualTo(new OrderId(2));
		});
	}

	@Test
	void converterOfTheReactiveTemplateThatSavesIsTheOneThatCounts() {
		runReactive((app) -> {
			ReactiveMongoTemplate other = new ReactiveMongoTemplate(app.bean(ReactiveMongoDatabaseFactory.class),
					another(app));
			app.context().getAutowireCapableBeanFactory().autowireBean(other);
			assertThatIllegalStateException().isThrownBy(() -> other.save(new Order(null)).block())
				.withMessageContaining("Long 2");
			assertThat(app.reactiveTemplate().save(new Order(null)).block()).isEqualTo(new Order(new OrderId(2)));
		});
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

	private void runReactive(ThrowingConsumer<TestApplication> test) {
		TestApplications
			.run(this.applications.reactive(false).withBean(MongoCustomConversions.class, () -> CONVERSIONS), test);
	}

	private ApplicationContextRunner runner() {
		return this.database.contextRunner().withBean(MongoCustomConversions.class, () -> CONVERSIONS);
	}

	/**
	 * A type with an id of its own, by what makes it of its id.
	 */
	record Shape<T, I>(Class<T> type, Function<@Nullable I, T> of, Function<T, @Nullable I> id, I first, I set,
			List<?> stored) {

		void requireReadBack(MongoTemplate template) {
			requireId(template.insert(this.of.apply(null)), this.first);
			requireId(template.save(this.of.apply(this.set)), this.set);
			Stream.of(this.first, this.set).forEach((id) -> requireId(template.findById(id, this.type), id));
		}

		void requireReadBack(ReactiveMongoTemplate template) {
			requireId(template.insert(this.of.apply(null)).block(), this.first);
			requireId(template.save(this.of.apply(this.set)).block(), this.set);
			Stream.of(this.first, this.set).forEach((id) -> requireId(template.findById(id, this.type).block(), id));
		}

		private void requireId(@Nullable T entity, I id) {
			assertThat(this.id.apply(Objects.requireNonNull(entity))).isEqualTo(id);
		}

	}

	interface Orders extends MongoRepository<Order, OrderId> {

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

	/**
	 * As a class.
	 */
	static final class PartNo {

		final int value;

		PartNo(int value) {
			this.value = value;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof PartNo number && number.value == this.value;
		}

		@Override
		public int hashCode() {
			return this.value;
		}

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

	@Document("own")
	static class Mutable {

		@Nullable OrderId id;

		Mutable(@Nullable OrderId id) {
			this.id = id;
		}

	}

	@Document("numbered")
	record Numbered(@Id String id, @HiLo @Nullable OrderId no, @HiLo @Nullable CustomerId text,
			@HiLo @Field("part") @Nullable PartNo number) {
	}

	@Document("invoices")
	record Invoice(@Nullable String id, @DBRef Order order) {
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

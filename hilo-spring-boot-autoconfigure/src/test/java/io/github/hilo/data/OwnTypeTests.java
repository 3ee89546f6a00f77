package io.github.hilo.data;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
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
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.internal.mapping.MissingValues;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.annotation.Id;
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

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@AfterEach
	void dropDatabase() {
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@ParameterizedTest
	@MethodSource("shapes")
	void nullGetsAValueAndOneThatIsSetStays(Shape<?, ?> shape) {
		runner().run((context) -> shape.requireReadBack(context.getBean(MongoTemplate.class)));
		assertThat(this.database.ids("own")).containsExactlyElementsOf(shape.stored());
	}

	@ParameterizedTest
	@MethodSource("shapes")
	void reactiveNullGetsAValueAndOneThatIsSetStays(Shape<?, ?> shape) {
		reactive().run((context) -> shape.requireReadBack(context.getBean(ReactiveMongoTemplate.class)));
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
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
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
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
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
	@ValueSource(booleans = { true, false })
	void idsOfATypeAreCheckedWhereTheyAreStored(boolean saved) {
		for (long number = 5; number <= 50; number += 5) {
			this.others.store("own", number);
		}
		runner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> "elsewhere").run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			this.database.setCounter("elsewhere", 0L);
			generator.nextId("elsewhere"); // reserves before the type is known
			for (int i = 0; i < 20; i++) {
				template.save(new Order(saved ? null : new OrderId(generator.nextId(Order.class))));
			}
		});
		this.others.requireKept(20);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void documentIdsOfATypeAreCheckedWhereTheyAreStored(boolean saved) {
		for (int number = 5; number <= 50; number += 5) {
			this.others.store("own", "elsewhere/" + number + "-A");
		}
		runner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> "elsewhere").run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			this.database.setCounter("elsewhere", 0L);
			generator.nextId("elsewhere"); // reserves before the type is known
			for (int i = 0; i < 20; i++) {
				template.save(new Customer(saved ? null : new CustomerId(generator.nextDocumentId(Customer.class))));
			}
		});
		this.others.requireKept(20);
	}

	@Test
	void idsThatTheApplicationSetsAreNotReplaced() {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new Order(null));
			LongStream.rangeClosed(3, 5).forEach((i) -> template.save(new Order(new OrderId(i))));
			this.others.keepAll();
			LongStream.rangeClosed(1, 40).forEach((i) -> template.save(new Order(null)));
		});
		this.others.requireKept(40);
	}

	@Test
	void twoCountersOfOneCollectionAreRefused() {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new Order(null));
			assertThatIllegalStateException().isThrownBy(() -> template.save(new Other(null)))
				.withMessageContainingAll("Numeric ids of", "'own'", "'others'");
		});
	}

	@Test
	void numberBeyondAnIntIsRefused() {
		this.database.setCounter("own", (long) Integer.MAX_VALUE);
		runner().run((context) -> assertThatExceptionOfType(HiLoExhaustedException.class)
			.isThrownBy(() -> context.getBean(MongoTemplate.class).save(new Part(null)))
			.withMessageContaining("does not fit the int id of " + Part.class.getName()));
	}

	@Test
	void startUpLineNamesThem() {
		runner().run((context) -> {
			know(context, Order.class, Customer.class);
			assertThat(context.getBean(MissingValues.class).summary())
				.isEqualTo("OwnTypeTests.Customer.id from 'own', OwnTypeTests.Order.id from 'own'");
		});
	}

	@ParameterizedTest
	@MethodSource
	void unsupportedOnesAreLeftWithALine(Object entity, String failure, String line, CapturedOutput output) {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (int i = 0; i < 2; i++) {
				assertThatException().isThrownBy(() -> template.insert(entity)).withMessageStartingWith(failure);
				know(context, entity.getClass());
				context.getBean(MissingValues.class).summary();
			}
		});
		assertThat(output).containsOnlyOnce(line);
	}

	static Stream<Arguments> unsupportedOnesAreLeftWithALine() {
		return Stream.of(
				arguments(new WrittenOnly(null), "Cannot autogenerate id of type",
						WrittenOnly.class.getName() + " get no id from hilo: a converter writes "
								+ OutId.class.getName()),
				arguments(new ReadOnly(null), "Cannot autogenerate id of type",
						ReadOnly.class.getName() + " get no id from hilo: a converter reads " + InId.class.getName()),
				arguments(new WithMongoId(null), "Cannot autogenerate id of type",
						WithMongoId.class.getName() + " get no id from hilo: with @MongoId or @Field"),
				arguments(new WithField(null), "Cannot autogenerate id of type",
						WithField.class.getName() + " get no id from hilo: with @MongoId or @Field"),
				arguments(new Referring("a", new Part(new PartNo(1))), "Can't find a codec for",
						"@DocumentReference on 'part' of " + Referring.class.getName()));
	}

	@Test
	void annotationOnATypeWithoutOurIdsNamesASequence(CapturedOutput output) {
		Logger logger = (Logger) LoggerFactory.getLogger(MissingValues.class);
		logger.setLevel(Level.INFO);
		try {
			runner().run((context) -> {
				know(context, Named.class, Compound.class);
				context.getBean(MissingValues.class).summary();
				context.getBean(HiLoIdGenerator.class).nextId(Named.class);
			});
		}
		finally {
			logger.setLevel(null);
		}
		assertThat(output)
			.containsOnlyOnce(
					"no id from hilo, so @HiLo on it names only the sequence of" + " nextId(OwnTypeTests.Named.class)")
			.doesNotContain(Compound.class.getName());
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/tickets");
	}

	@Test
	void converterThatWritesSomethingElseIsRefused() {
		this.database.contextRunner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThatException().isThrownBy(() -> template.insert(new Order(null)));
		});
		this.database.contextRunner()
			.withBean(MongoCustomConversions.class,
					() -> new MongoCustomConversions(List.of(new OrderIdToNext(), new LongToOrderId())))
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(MongoTemplate.class).save(new Order(null)))
				.withMessageContainingAll("is stored by a converter, not as 1 but as Long 2", Order.class.getName()));
		assertThat(this.database.ids("own")).isEmpty();
	}

	@Test
	void converterOfTheTemplateThatSavesIsTheOneThatCounts() {
		runner().run((context) -> {
			MongoTemplate other = new MongoTemplate(context.getBean(MongoDatabaseFactory.class), another(context));
			other.setApplicationContext(context);
			context.getBeanFactory().initializeBean(other, "other");
			assertThatIllegalStateException().isThrownBy(() -> other.save(new Order(null)));
			assertThat(context.getBean(MongoTemplate.class).save(new Order(null)).id()).isEqualTo(new OrderId(2));
		});
	}

	@Test
	void converterOfTheReactiveTemplateThatSavesIsTheOneThatCounts() {
		reactive().run((context) -> {
			ReactiveMongoTemplate other = new ReactiveMongoTemplate(context.getBean(ReactiveMongoDatabaseFactory.class),
					another(context));
			other.setApplicationContext(context);
			context.getBeanFactory().initializeBean(other, "other");
			assertThatIllegalStateException().isThrownBy(() -> other.save(new Order(null)).block());
			assertThat(context.getBean(ReactiveMongoTemplate.class).save(new Order(null)).block())
				.isEqualTo(new Order(new OrderId(2)));
		});
	}

	/**
	 * Makes a converter that writes other numbers.
	 */
	private static MongoConverter another(ApplicationContext context) {
		MappingMongoConverter converter = new MappingMongoConverter(NoOpDbRefResolver.INSTANCE,
				context.getBean(MongoMappingContext.class));
		converter.setCustomConversions(new MongoCustomConversions(List.of(new OrderIdToNext(), new LongToOrderId())));
		converter.afterPropertiesSet();
		return converter;
	}

	@Test
	void idIsThereBeforeTheConverterIs() {
		this.database.contextRunner().withUserConfiguration(Conversions.class, Early.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Early.class).number).isOne();
		});
	}

	private static void know(ApplicationContext context, Class<?>... types) {
		List.of(types).forEach(context.getBean(MongoMappingContext.class)::getPersistentEntity);
	}

	private ApplicationContextRunner runner() {
		return withConverters(this.database.contextRunner());
	}

	private ApplicationContextRunner reactive() {
		return withConverters(ReactiveApplications.withReactiveDriver(this.database.connectionProperties()));
	}

	private static ApplicationContextRunner withConverters(ApplicationContextRunner runner) {
		return runner.withBean(MongoCustomConversions.class,
				() -> new MongoCustomConversions(List.of(new OrderIdToLong(), new LongToOrderId(),
						new CustomerIdToText(), new TextToCustomerId(), new PartNoToInt(), new IntToPartNo(),
						new OutIdToLong(), new LongToInId())));
	}

	/**
	 * A type with an id of its own, by what makes it of its id.
	 */
	record Shape<T, I>(Class<T> type, Function<@Nullable I, T> of, Function<T, @Nullable I> id, I first, I set,
			List<?> stored) {

		void requireReadBack(MongoTemplate template) {
			requireFirst(template.insert(this.of.apply(null)));
			requireSet(template.save(this.of.apply(this.set)));
			Stream.of(this.first, this.set)
				.forEach((id) -> requireId(Objects.requireNonNull(template.findById(id, this.type)), id));
		}

		void requireReadBack(ReactiveMongoTemplate template) {
			requireFirst(Objects.requireNonNull(template.insert(this.of.apply(null)).block()));
			requireSet(Objects.requireNonNull(template.save(this.of.apply(this.set)).block()));
			Stream.of(this.first, this.set)
				.forEach((id) -> requireId(Objects.requireNonNull(template.findById(id, this.type).block()), id));
		}

		private void requireFirst(T saved) {
			requireId(saved, this.first);
		}

		private void requireSet(T saved) {
			requireId(saved, this.set);
		}

		private void requireId(T entity, I id) {
			assertThat(this.id.apply(entity)).isEqualTo(id);
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

	@WritingConverter
	static final class OrderIdToNext implements Converter<OrderId, Long> {

		@Override
		public Long convert(OrderId id) {
			return id.value() + 1;
		}

	}

	@ReadingConverter
	static final class LongToOrderId implements Converter<Long, OrderId> {

		@Override
		public OrderId convert(Long value) {
			return new OrderId(value);
		}

	}

	@WritingConverter
	static final class CustomerIdToText implements Converter<CustomerId, String> {

		@Override
		public String convert(CustomerId id) {
			return id.value();
		}

	}

	@ReadingConverter
	static final class TextToCustomerId implements Converter<String, CustomerId> {

		@Override
		public CustomerId convert(String value) {
			return new CustomerId(value);
		}

	}

	@WritingConverter
	static final class PartNoToInt implements Converter<PartNo, Integer> {

		@Override
		public Integer convert(PartNo number) {
			return number.value;
		}

	}

	@ReadingConverter
	static final class IntToPartNo implements Converter<Integer, PartNo> {

		@Override
		public PartNo convert(Integer value) {
			return new PartNo(value);
		}

	}

	@WritingConverter
	static final class OutIdToLong implements Converter<OutId, Long> {

		@Override
		public Long convert(OutId id) {
			return id.value();
		}

	}

	@ReadingConverter
	static final class LongToInId implements Converter<Long, InId> {

		@Override
		public InId convert(Long value) {
			return new InId(value);
		}

	}

}

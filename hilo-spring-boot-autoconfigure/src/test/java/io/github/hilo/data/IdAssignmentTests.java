package io.github.hilo.data;

import java.util.Date;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Order;
import io.github.hilo.fixture.TestApplications;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * How saves and calls of the generator count, in an application.
 */
class IdAssignmentTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Test
	void everyWayToAddressATypeSharesOneCounter() {
		this.applications.run((app) -> {
			HiLoIdGenerator generator = app.generator();
			assertThat(generator.nextId(Order.class)).isEqualTo(1);
			assertThat(generator.nextDocumentId("orders")).isEqualTo("orders/2-A");
			assertThat(app.template().insert(new Order(null)).id()).isEqualTo("orders/3-A");
			assertThat(generator.forDatabase(null).sequence(Order.class).nextId()).isEqualTo(4);
			assertThat(generator.forDatabase(this.database.name()).nextId("orders")).isEqualTo(5);
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/orders");
		});
	}

	@Test
	void insertIntoAnotherCollectionCountsInThatCollection() {
		this.applications.run((app) -> {
			MongoTemplate template = app.template();
			template.insert(new Numbered(null));
			template.insert(new Numbered(null), "archive");
			template.insert(new Numbered(null));
			template.insert(new Numbered(null), "archive");
			template.insert(new Order(null), "archive");
			assertThat(this.database.ids("numbered")).containsExactly(1L, 2L);
			assertThat(this.database.ids("archive")).containsExactly(1L, 2L, "archive/3-A");
		});
	}

	@Test
	void collectionThatIsAnExpressionIsEvaluatedEveryTime() {
		TestApplications.run(this.database.contextRunner().withBean("year", Year.class), (app) -> {
			MongoTemplate template = app.template();
			HiLoIdGenerator generator = app.generator();
			HiLoSequence sequence = generator.sequence(Entry.class);
			assertThat(template.insert(new Entry(null)).id()).isEqualTo("entries2025/1-A");
			assertThat(generator.nextDocumentId(Entry.class)).isEqualTo("entries2025/2-A");
			assertThat(sequence.nextId()).isEqualTo(3);
			app.bean(Year.class).value = 2026;
			assertThat(template.insert(new Entry(null)).id()).isEqualTo("entries2026/1-A");
			assertThat(generator.nextDocumentId(Entry.class)).isEqualTo("entries2026/2-A");
			assertThat(sequence.nextId()).isEqualTo(3);
			assertThat(this.database.ids("entries2026")).containsExactly("entries2026/1-A");
		});
	}

	@Test
	void secondCounterForNumericIdsOfACollectionIsRefusedBeforeAnythingIsSaved() {
		TestApplications.run(this.applications.reactive(true), (app) -> {
			app.template().insert(new Numbered(null), "mixed");
			Stream
				.<ThrowingCallable>of(() -> app.template().insert(new Parcel(null), "mixed"),
						() -> app.reactiveTemplate().insert(new Parcel(null), "mixed").block())
				.forEach((insert) -> assertThatIllegalStateException().isThrownBy(insert)
					.withMessageContainingAll("'mixed'", "'mail'", "@HiLo(\"…\")", "@HiLo(enabled = false)"));
			assertThat(this.database.ids("mixed")).containsExactly(1L);
		});
	}

	/**
	 * Spring Data itself needs an {@code @Id} only for repositories.
	 */
	@ParameterizedTest
	@MethodSource
	void annotatedPropertyThatIsStoredAsTheIdIsTheId(Supplier<Object> entity, Object first, Object second) {
		Object before = entity.get();
		TestApplications.run(this.applications.reactive(true), (app) -> {
			app.template().save(before);
			app.reactiveTemplate().save(entity.get()).block();
			assertThat(app.template().insert(new Order(null)).id()).isEqualTo("orders/1-A");
			assertThat(app.generator().nextId(before.getClass())).isEqualTo(3);
		});
		assertThat(this.database.ids("keyed")).containsExactly(first, second);
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/keyed", "Raven/HiLo/orders");
	}

	static Stream<Arguments> annotatedPropertyThatIsStoredAsTheIdIsTheId() {
		Stream<Supplier<Object>> numbers = Stream.of(Keyed::new, InheritsKey::new, () -> new KeyedRecord(null),
				NamedId::new, PrimitiveKey::new, KeyOfAccessor::new);
		return Stream.concat(numbers.map((entity) -> arguments(entity, 1L, 2L)),
				Stream.of(arguments((Supplier<Object>) () -> new TextKey(null), "keyed/1-A", "keyed/2-A")));
	}

	@Test
	void annotationOfTheTypeIsThatOfAPropertyThatIsStoredAsTheId() {
		this.applications.run((app) -> {
			assertThat(app.template().save(new NamedByType(null)).key()).isEqualTo(1);
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/named");
			assertThat(app.template().save(new SwitchedOff(null)).key()).isNull();
			assertThatIllegalStateException().isThrownBy(() -> app.template().save(new NamedTwice(null)))
				.withMessageContainingAll("'one'", "'two'", "on its id property 'key'");
			assertThatIllegalStateException().isThrownBy(() -> app.template().save(new DateKey(null)))
				.withMessageContainingAll("'key'", "is an id of type java.util.Date");
		});
	}

	@Test
	void generatorOfTheUserMayDependOnTheTemplate() {
		TestApplications.run(this.database.contextRunner().withUserConfiguration(GeneratorOnTemplate.class), (app) -> {
			assertThat(app.context()).hasSingleBean(HiLoBeforeConvertCallback.class);
			assertThat(app.template().insert(new Order(null)).id()).isEqualTo("orders/5-A");
			assertThat(app.template().insert(new Numbered(null)).id()).isEqualTo(5);
		});
	}

	@Document("numbered")
	record Numbered(@Nullable Long id) {
	}

	@Document("#{'entries' + @year.value}")
	record Entry(@Nullable String id) {
	}

	@HiLo(sequence = "mail")
	record Parcel(@Nullable Integer id) {
	}

	@Document("keyed")
	static class Keyed {

		@HiLo
		@Field("_id")
		@Nullable Long key;

	}

	static class InheritsKey extends Keyed {

	}

	@Document("keyed")
	record KeyedRecord(@HiLo @Field("_id") @Nullable Long key) {
	}

	@Document("keyed")
	static class NamedId {

		@HiLo
		@Field("_id")
		@Nullable Long id;

	}

	@Document("keyed")
	static class PrimitiveKey {

		@HiLo
		@Field("_id")
		long key;

	}

	@Document("keyed")
	static class KeyOfAccessor {

		private @Nullable Long key;

		@HiLo
		@Field("_id")
		public @Nullable Long getKey() {
			return this.key;
		}

		public void setKey(@Nullable Long key) {
			this.key = key;
		}

	}

	@Document("keyed")
	record TextKey(@HiLo @Field("_id") @Nullable String key) {
	}

	@HiLo("named")
	record NamedByType(@HiLo @Field("_id") @Nullable Long key) {
	}

	@HiLo(enabled = false)
	record SwitchedOff(@HiLo @Field("_id") @Nullable Long key) {
	}

	@HiLo("one")
	record NamedTwice(@HiLo("two") @Field("_id") @Nullable Long key) {
	}

	record DateKey(@HiLo @Field("_id") @Nullable Date key) {
	}

	/**
	 * Public, so that an expression can read it.
	 */
	public static class Year {

		public int value = 2025;

	}

	@Configuration(proxyBeanMethods = false)
	static class GeneratorOnTemplate {

		@Bean
		HiLoIdGenerator userGenerator(MongoTemplate template) {
			assertThat(template.getCollectionNames()).isEmpty();
			return CountingGenerator.from(5);
		}

	}

}

package io.github.hilo.data;

import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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

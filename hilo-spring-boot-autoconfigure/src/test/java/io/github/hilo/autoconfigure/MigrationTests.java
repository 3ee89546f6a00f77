package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.FullApplication;
import io.github.hilo.fixture.Order;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WithInformation;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/migrating.md} says, with documents as the other system leaves them.
 * That no id is given twice is up to the {@code _id} index: whoever repeats one fails.
 */
@ExtendWith({ OutputCaptureExtension.class, WithInformation.class })
class MigrationTests {

	private static final String SET = "Set the counter";

	private static final String RAISE = "When to raise the counter";

	private static final String ROLL_BACK = "Roll back";

	private static final int NEW_DOCUMENTS = 50;

	private final MigrationGuide guide = new MigrationGuide();

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final WebApplicationContextRunner application = new WebApplicationContextRunner()
		.withUserConfiguration(FullApplication.class)
		.withInitializer((context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
		.withPropertyValues(this.database.connectionProperties())
		.withPropertyValues("management.endpoints.web.exposure.include=hilo",
				"management.endpoint.hilo.access=unrestricted");

	@Test
	@Thorough
	void numericIdsWithACounterCollectionNeedNoStep(CapturedOutput output) {
		insert(41, this::oldId);
		run((context) -> insertNumbered(context, 42));
		assertThat(output)
			.contains(this.guide.logLine("Numeric ids").replace("'shop'", "'" + this.database.name() + "'"));
		assertThat(numbers()).containsExactlyElementsOf(LongStream.rangeClosed(1, 91).boxed().toList());
		assertThat(this.guide.runShell(ROLL_BACK, "To a counter collection", this.database)).isEqualTo(2);
		insert(10, this::oldId);
		migrateAgain();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Thorough
	void numericIdsWithAHiValueNeedNoStep(boolean storesTheNextHi) {
		// The block of 7 is used up partly.
		LongStream.rangeClosed(1, 229).forEach((id) -> insert(1, () -> id));
		collection("hi_values").insertOne(new Document("_id", "orders").append("hi", storesTheNextHi ? 8 : 7));
		run((context) -> insertNumbered(context, 230));
		assertThat(this.guide.runShell(ROLL_BACK, "To a hi value", this.database)).isEqualTo(2);
		long hi = increment("hi_values", "orders", "hi", 1) - (storesTheNextHi ? 1 : 0);
		LongStream.range(hi * 32, (hi + 1) * 32).forEach((id) -> insert(1, () -> id));
		migrateAgain();
	}

	@Test
	@Thorough
	void numericIdsOfCosIdNeedNoStep() {
		collection("cosid")
			.insertOne(new Document("_id", "shop.orders").append("lastMaxId", 0L).append("lastFetchTime", 0L));
		long end = increment("cosid", "shop.orders", "lastMaxId", 100);
		LongStream.rangeClosed(end - 99, 42).forEach((id) -> insert(1, () -> id));
		run((context) -> insertNumbered(context, 43));
		assertThat(this.guide.runShell(ROLL_BACK, "To CosId", this.database)).isEqualTo(2);
		long newEnd = increment("cosid", "shop.orders", "lastMaxId", 100);
		LongStream.rangeClosed(newEnd - 99, newEnd).forEach((id) -> insert(1, () -> id));
		migrateAgain();
	}

	@Test
	void textIdsNeedNoStep() {
		insertTexts(1, 96);
		run((context) -> assertThat(insertText(context)).isEqualTo("orders/97-A"));
	}

	@Test
	void dryRunShowsTheHighestNumberThatIsStored() {
		insert(41, this::oldId);
		insertTexts(995, 1041);
		assertThat(this.guide.runShell("Which number an id stands for", "Dry run", this.database)).isEqualTo(3);
		run((context) -> assertThat(insertText(context)).isEqualTo("orders/1042-A"));
	}

	@ParameterizedTest
	@EnumSource
	@Thorough
	void oldProcessesMayGoOnBelowACounterThatWasRaised(Way way) {
		insert(41, this::oldId);
		if (way == Way.SHELL) {
			assertThat(this.guide.runShell(RAISE, SET, this.database)).isEqualTo(2);
		}
		run((context) -> {
			if (way == Way.API) {
				assertThat(this.guide.runJava(RAISE, SET, context.getBean(HiLoIdGenerator.class))).isOne();
			}
			else if (way == Way.ENDPOINT) {
				assertThat(this.guide.runCurl(RAISE, SET, MockMvcTester.from(context))).isOne();
			}
			insertNumbered(context, 1042);
			insert(50, this::oldId);
			insertNumbered(context, 1042 + NEW_DOCUMENTS);
		});
	}

	@Test
	@Thorough
	void numberOfADeletedDocumentComesBackUnlessTheCounterIsRaisedToTheOldOne() {
		insert(41, this::oldId);
		collection("orders").deleteOne(new Document("_id", 41L));
		run((context) -> assertThat(insertNumber(context)).isEqualTo(41));
		collection("orders").deleteOne(new Document("_id", 41L));
		collection("@hilo").drop();
		run((context) -> {
			context.getBean(HiLoIdGenerator.class).ensureAtLeast("orders", 41);
			assertThat(insertNumber(context)).isEqualTo(42);
		});
	}

	@Test
	@Thorough
	void numericIdsMayBeImportedBelowACounterThatWasRaisedWhileRangesAreReturned() {
		run((context) -> {
			insertNumbered(context, 1);
			context.getBean(HiLoIdGenerator.class).ensureAtLeast("orders", 200);
			assertThat(MockMvcTester.from(context).delete().uri("/actuator/hilo")).hasStatusOk();
			LongStream.rangeClosed(70, 200).forEach((id) -> insert(1, () -> id));
			insertNumbered(context, 201);
		});
	}

	@Test
	@Thorough
	void textIdsThatAreImportedLaterAreSkipped() {
		run((context) -> assertThat(insertText(context)).isEqualTo("orders/1-A"));
		insertTexts(20, 96);
		run((context) -> assertThat(insertText(context)).isEqualTo("orders/97-A"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void ravenDbDocuments(boolean withCounters) {
		insertTexts(1, 96);
		if (withCounters) {
			assertThat(this.guide.runShell("From RavenDB", "Copy the counters", this.database)).isEqualTo(3);
		}
		run((context) -> {
			assertThat(insertText(context)).isEqualTo("orders/97-A");
			assertThat(context.getBean(MongoTemplate.class).insert(new LineItem(null)).id())
				.isEqualTo(withCounters ? "LineItems/65-A" : "LineItems/1-A");
		}, "hilo.naming=raven");
		if (withCounters) {
			assertThat(this.database.counter("orders")).containsEntry("Max", 97L)
				.containsEntry("@metadata", new Document("@collection", "@hilo"));
		}
	}

	@Test
	void everyCommandIsRun() {
		// Those of the sections with a step; all of them were counted above.
		assertThat(this.guide.shellLines()).hasSize(2 + 2 + 2 + 2 + 3 + 3);
	}

	/**
	 * Whoever went back and forth repeats no id.
	 */
	private void migrateAgain() {
		int stored = numbers().size();
		run((context) -> IntStream.rangeClosed(1, NEW_DOCUMENTS).forEach((number) -> insertNumber(context)));
		assertThat(numbers()).hasSize(stored + NEW_DOCUMENTS);
	}

	private void run(ContextConsumer<AssertableWebApplicationContext> application, String... properties) {
		this.application.withPropertyValues(properties).run(application);
	}

	private static void insertNumbered(AssertableWebApplicationContext context, long first) {
		List<Long> ids = Stream.generate(() -> insertNumber(context)).limit(NEW_DOCUMENTS).toList();
		assertThat(ids).containsExactlyElementsOf(LongStream.range(first, first + NEW_DOCUMENTS).boxed().toList());
	}

	private static long insertNumber(AssertableWebApplicationContext context) {
		return Objects.requireNonNull(context.getBean(MongoTemplate.class).insert(new NumberedOrder(null)).id());
	}

	private static @Nullable String insertText(AssertableWebApplicationContext context) {
		return context.getBean(MongoTemplate.class).insert(new Order(null)).id();
	}

	private void insertTexts(int first, int last) {
		IntStream.rangeClosed(first, last)
			.forEach((number) -> collection("orders").insertOne(new Document("_id", "orders/" + number + "-A")));
	}

	private void insert(int count, LongSupplier ids) {
		for (int i = 0; i < count; i++) {
			collection("orders").insertOne(new Document("_id", ids.getAsLong()));
		}
	}

	private long oldId() {
		return increment("database_sequences", "orders_sequence", "seq", 1);
	}

	private long increment(String collection, String id, String field, long by) {
		Document counter = collection(collection).findOneAndUpdate(new Document("_id", id),
				new Document("$inc", new Document(field, by)),
				new FindOneAndUpdateOptions().upsert(true)
					.projection(new Document(field, 1))
					.returnDocument(ReturnDocument.AFTER));
		return Objects.requireNonNull(counter).get(field, Number.class).longValue();
	}

	private List<Long> numbers() {
		return this.database.ids("orders").stream().map((id) -> ((Number) id).longValue()).toList();
	}

	private MongoCollection<Document> collection(String name) {
		return this.database.collection(name);
	}

	/**
	 * How the counter is set.
	 */
	enum Way {

		SHELL, ENDPOINT, API

	}

	@org.springframework.data.mongodb.core.mapping.Document("orders")
	record NumberedOrder(@Nullable Long id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("line-items")
	record LineItem(@Nullable String id) {
	}

}

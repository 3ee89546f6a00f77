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
import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ways of {@code docs/migrating.md}, with documents as the other system leaves them.
 * That no id is given twice is up to the {@code _id} index: whoever repeats one fails.
 */
class MigrationTests {

	private static final String SET = "Set the counter";

	private static final String ROLL_BACK = "Roll back";

	private static final int NEW_DOCUMENTS = 50;

	private final MigrationGuide guide = new MigrationGuide();

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final WebApplicationContextRunner application = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withInitializer((context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
		.withPropertyValues(this.database.connectionProperties())
		.withPropertyValues("management.endpoints.web.exposure.include=hilo",
				"management.endpoint.hilo.access=unrestricted");

	@ParameterizedTest
	@EnumSource
	void counterCollection(Way way) {
		LongSupplier oldIds = () -> increment("database_sequences", "orders_sequence", "seq", 1);
		insert(41, oldIds);
		migrate("From a counter collection", way, (context) -> insertNumbered(context, 42));
		assertThat(numbers()).containsExactlyElementsOf(LongStream.rangeClosed(1, 91).boxed().toList());
		assertThat(this.guide.runShell("From a counter collection", ROLL_BACK, this.database)).isEqualTo(2);
		insert(10, oldIds);
		migrateAgain();
	}

	@ParameterizedTest
	@CsvSource({ "SHELL, true, 257", "SHELL, false, 257", "ENDPOINT, true, 257", "API, false, 257", "RESYNC, true, 224",
			"RESYNC, false, 230" })
	void hiValue(Way way, boolean storesTheNextHi, long first) {
		// The last block is used up, or partly so.
		LongStream.rangeClosed(1, storesTheNextHi ? 223 : 229).forEach((id) -> insert(1, () -> id));
		collection("hi_values").insertOne(new Document("_id", "orders").append("hi", 7));
		migrate("From a hi value", way, (context) -> insertNumbered(context, first));
		if (way == Way.RESYNC) {
			return;
		}
		assertThat(this.guide.runShell("From a hi value", ROLL_BACK, this.database)).isEqualTo(2);
		long hi = increment("hi_values", "orders", "hi", 1) - (storesTheNextHi ? 1 : 0);
		LongStream.range(hi * 32, (hi + 1) * 32).forEach((id) -> insert(1, () -> id));
		migrateAgain();
	}

	@ParameterizedTest
	@EnumSource
	void ravenDbDocuments(Way way) {
		IntStream.rangeClosed(1, 96)
			.forEach((number) -> collection("orders").insertOne(new Document("_id", "orders/" + number + "-A")));
		migrate("From RavenDB", way, (context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.insert(new Order(null)).id()).isEqualTo("orders/97-A");
			if (way != Way.RESYNC) {
				assertThat(template.insert(new LineItem(null)).id()).isEqualTo("LineItems/65-A");
			}
		}, "hilo.naming=raven");
		if (way == Way.SHELL) {
			assertThat(counter("orders")).containsEntry("Max", 97L)
				.containsEntry("@metadata", new Document("@collection", "@hilo"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{Max: 96.0}", "{Max: {$numberInt: '96'}}", "{Max: {$numberLong: '96'}}" })
	void ravenDbDocumentWhoseMaxIsOfAnyTypeOfNumber(String fields) {
		Document counter = Document.parse(fields).append("_id", "Raven/HiLo/orders");
		collection("@hilo").insertOne(counter.append("@metadata", new Document("@collection", "@hilo")));
		run((context) -> assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id())
			.isEqualTo("orders/97-A"), "hilo.naming=raven");
		assertThat(counter("orders").get("Max")).isEqualTo(97L);
	}

	@Test
	void objectIds() {
		ObjectId old = new ObjectId();
		collection("orders").insertOne(new Document("_id", old));
		collection("tickets").insertOne(new Document("_id", new ObjectId()));
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			List<@Nullable String> ids = Stream.generate(() -> template.insert(new Order(null)).id())
				.limit(10)
				.toList();
			assertThat(ids).startsWith("orders/1-A").endsWith("orders/10-A");
			assertThat(template.findById("orders/1-A", Order.class)).isEqualTo(new Order("orders/1-A"));
			assertThat(template.findById(old.toHexString(), Order.class)).isEqualTo(new Order(old.toHexString()));
			assertThat(template.find(new Query().with(Sort.by("id")), Order.class)).extracting(Order::id)
				.startsWith("orders/1-A", "orders/10-A", "orders/2-A")
				.endsWith("orders/9-A", old.toHexString());
			assertThat(ObjectId.isValid(String.valueOf(template.insert(new Ticket(null)).id()))).isTrue();
		}, "hilo.resync=orders");
		assertThat(counter("orders")).containsEntry("Max", 10L);
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(ObjectId.isValid(String.valueOf(template.insert(new Order(null)).id()))).isTrue();
			assertThat(template.findById("orders/1-A", Order.class)).isNotNull();
		}, "hilo.assign-ids=none");
	}

	@Test
	void objectIdsOfEveryTypeThatIsNotAnnotatedMayStay() {
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(ObjectId.isValid(String.valueOf(template.insert(new Order(null)).id()))).isTrue();
			assertThat(template.insert(new Chosen(null)).id()).isEqualTo("chosen/1-A");
		}, "hilo.assign-ids=annotated");
	}

	@ParameterizedTest
	@CsvSource({ "SHELL, 101", "ENDPOINT, 101", "API, 101", "RESYNC, 43" })
	void cosIdSegments(Way way, long first) {
		collection("cosid")
			.insertOne(new Document("_id", "shop.orders").append("lastMaxId", 0L).append("lastFetchTime", 0L));
		long end = increment("cosid", "shop.orders", "lastMaxId", 100);
		LongStream.rangeClosed(end - 99, 42).forEach((id) -> insert(1, () -> id));
		migrate("From CosId", way, (context) -> insertNumbered(context, first));
		if (way == Way.RESYNC) {
			return;
		}
		assertThat(this.guide.runShell("From CosId", ROLL_BACK, this.database)).isEqualTo(2);
		long newEnd = increment("cosid", "shop.orders", "lastMaxId", 100);
		LongStream.rangeClosed(newEnd - 99, newEnd).forEach((id) -> insert(1, () -> id));
		migrateAgain();
	}

	@Test
	void countersThatAreOlderThanTheDocumentsAfterARestore() {
		run((context) -> insertNumbered(context, 1));
		Document backup = counter("orders");
		run((context) -> insertNumbered(context, 51));
		collection("@hilo").replaceOne(new Document("_id", backup.get("_id")), backup);
		assertThat(this.guide.section("After a restored backup")).contains("`hilo.resync=orders`");
		run((context) -> insertNumbered(context, 101), "hilo.resync=orders");
	}

	@Test
	void everyCommandIsRun() {
		// Those of the sections with a step; all of them were counted above.
		assertThat(this.guide.shellLines()).hasSize(3 + 2 + 3 + 2 + 3 + 3 + 2);
	}

	private void migrate(String section, Way way, ContextConsumer<AssertableWebApplicationContext> application,
			String... properties) {
		if (way == Way.SHELL) {
			assertThat(this.guide.runShell(section, SET, this.database)).isEqualTo(3);
		}
		this.application.withPropertyValues(properties)
			.withPropertyValues((way == Way.RESYNC) ? "hilo.resync=orders" : "hilo.resync=")
			.run((context) -> {
				if (way == Way.API) {
					assertThat(this.guide.runJava(section, SET, context.getBean(HiLoIdGenerator.class))).isPositive();
				}
				else if (way == Way.ENDPOINT) {
					assertThat(this.guide.runCurl(section, SET, MockMvcTester.from(context))).isPositive();
				}
				application.accept(context);
			});
	}

	/**
	 * Whoever went back and forth finds the highest id again.
	 */
	private void migrateAgain() {
		long highest = numbers().get(numbers().size() - 1);
		run((context) -> insertNumbered(context, highest + 1), "hilo.resync=orders");
	}

	private void run(ContextConsumer<AssertableWebApplicationContext> application, String... properties) {
		this.application.withPropertyValues(properties).run(application);
	}

	private static void insertNumbered(AssertableWebApplicationContext context, long first) {
		MongoTemplate template = context.getBean(MongoTemplate.class);
		List<@Nullable Long> ids = Stream.generate(() -> template.insert(new NumberedOrder(null)).id())
			.limit(NEW_DOCUMENTS)
			.toList();
		assertThat(ids).containsExactlyElementsOf(LongStream.range(first, first + NEW_DOCUMENTS).boxed().toList());
	}

	private void insert(int count, LongSupplier ids) {
		for (int i = 0; i < count; i++) {
			collection("orders").insertOne(new Document("_id", ids.getAsLong()));
		}
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

	private Document counter(String sequence) {
		return Objects.requireNonNull(collection("@hilo").find(new Document("_id", "Raven/HiLo/" + sequence)).first());
	}

	private MongoCollection<Document> collection(String name) {
		return this.database.collection(name);
	}

	/**
	 * How the counter is set.
	 */
	enum Way {

		SHELL, ENDPOINT, API, RESYNC

	}

	@org.springframework.data.mongodb.core.mapping.Document("orders")
	record NumberedOrder(@Nullable Long id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("orders")
	record Order(@Nullable String id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("line-items")
	record LineItem(@Nullable String id) {
	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("tickets")
	record Ticket(@Nullable String id) {
	}

	@HiLo
	@org.springframework.data.mongodb.core.mapping.Document("chosen")
	record Chosen(@Nullable String id) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

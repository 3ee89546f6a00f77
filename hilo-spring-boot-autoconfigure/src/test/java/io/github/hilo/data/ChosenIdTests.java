package io.github.hilo.data;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Documents.LongRec;
import io.github.hilo.fixture.Documents.TextRec;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import org.assertj.core.api.ThrowingConsumer;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the application stores under ids of its own choice is not replaced by what the
 * same process saves later, although its range was found free before.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChosenIdTests {

	private static final List<Object> SEEDS = IntStream.rangeClosed(2, 6)
		.boxed()
		.<Object>flatMap((i) -> Stream.of(new LongRec((long) i, "seed"), new TextRec("texts/" + i + "-A", "seed")))
		.toList();

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void idsOfTheRangeInUseStay(boolean reactive) {
		run(reactive, (app) -> {
			saveNew(app, reactive);
			SEEDS.forEach((seed) -> save(app, reactive, seed));
			this.others.keepAll();
			LongStream.range(0, 40).forEach((i) -> saveNew(app, reactive));
		});
		this.others.requireKept(80);
	}

	private static void saveNew(TestApplication app, boolean reactive) {
		save(app, reactive, new LongRec(null, "new"));
		save(app, reactive, new TextRec(null, "new"));
	}

	/**
	 * Whatever the types are named after, and whether ids of theirs are ever missing.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "hilo.naming=raven", "hilo.assign-ids=none" })
	void idsOfTypesStayWhoseIdsAreLeftToTheApplication(String property) {
		this.applications.run((app) -> {
			saveNew(app);
			app.template().save(new ImportedNumber(3L));
			app.template().save(new ImportedText(app.generator().nextDocumentId(TextRec.class).replace("2", "4")));
			this.others.keepAll();
			for (int i = 0; i < 5; i++) {
				saveNew(app);
			}
		}, property);
		this.others.requireKept(10);
	}

	private static void saveNew(TestApplication app) {
		app.template().save(new LongRec(app.generator().nextId(LongRec.class), "new"));
		app.template().save(new TextRec(app.generator().nextDocumentId(TextRec.class), "new"));
	}

	/**
	 * As an application does that inserts at its own choice now and then.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void idsChosenAboveTheLastOneStay(boolean consecutive) {
		this.applications.run((app) -> {
			long last = 0;
			for (int i = 1; i <= 300; i++) {
				if (i % 7 == 0) {
					app.template().insert(new LongRec(last + 2 + i % 5, "seed"));
				}
				last = Objects.requireNonNull(app.template().save(new LongRec(null, "new")).id());
			}
		}, "hilo.sequences.longs.consecutive=" + consecutive);
		assertThat(this.database.collection("longs").find(new Document("name", "seed"))).hasSize(42);
		assertThat(this.database.ids("longs")).hasSize(342);
	}

	@Test
	void numberOfAPropertyThatTheApplicationSetsIsGivenOnce() {
		this.applications.run((app) -> {
			MongoTemplate template = app.template();
			template.save(new Customer(null, null));
			template.save(new Customer(null, 3L));
			template.save(new Document("number", new BsonInt64(5)), "customers");
			LongStream.rangeClosed(1, 5).forEach((i) -> template.save(new Customer(null, null)));
			assertThat(template.findAll(Customer.class)).extracting(Customer::number)
				.containsExactlyInAnyOrder(1L, 3L, 5L, 2L, 4L, 6L, 7L, 8L);
		});
	}

	@Test
	void sequencesOfOneNameInTwoDatabasesKnowIt() {
		ApplicationDatabase other = this.applications.newDatabase();
		this.applications.run((app) -> {
			MongoTemplate template = app.template();
			MongoTemplate second = new MongoTemplate(
					new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), other.name()));
			second.setEntityCallbacks(EntityCallbacks.create(app.bean(HiLoBeforeConvertCallback.class)
				.withGenerator(app.generator().forDatabase(other.name()))));
			template.save(new LongRec(null, "new"));
			second.save(new LongRec(null, "new"));
			second.save(new LongRec(3L, "seed"));
			template.save(new LongRec(4L, "seed"));
			for (int i = 0; i < 5; i++) {
				template.save(new LongRec(null, "new"));
				second.save(new LongRec(null, "new"));
			}
			assertThat(second.findById(3L, LongRec.class)).isEqualTo(new LongRec(3L, "seed"));
			assertThat(template.findById(4L, LongRec.class)).isEqualTo(new LongRec(4L, "seed"));
		});
		assertThat(this.database.ids("longs")).hasSize(7);
		assertThat(other.ids("longs")).hasSize(7);
	}

	@Test
	void sequenceThatNobodyHasAskedForIsNotShown() {
		this.applications.run((app) -> {
			app.template().save(new LongRec(7L, "own"));
			assertThat(app.engine().snapshot()).isEmpty();
		});
	}

	/**
	 * Others save between the moment in which a batch is prepared and that in which it is
	 * sent. It does not matter whether the sequence had a range by then.
	 */
	@ParameterizedTest
	@MethodSource
	void batchOfChosenIdsStays(boolean used, List<Long> batch) {
		TestApplications.run(this.database.contextRunner().withBean(BeforeTheBatchIsSent.class), (app) -> {
			if (used) {
				app.template().save(new LongRec(null, "new"));
			}
			List<Long> issued = new ArrayList<>();
			app.bean(BeforeTheBatchIsSent.class).action = () -> LongStream.range(0, 40)
				.forEach((i) -> issued.add(Objects.requireNonNull(app.template().save(new LongRec(null, "new")).id())));
			List<LongRec> documents = new ArrayList<>(batch.stream().map((id) -> new LongRec(id, "own")).toList());
			documents.add(new LongRec(1_000_000L, BeforeTheBatchIsSent.LAST));
			app.template().insertAll(documents);
			assertThat(issued).hasSize(40).doesNotContainAnyElementsOf(batch);
		}, "hilo.range.initial-size=16384");
		assertThat(this.database.ids("longs")).hasSize(batch.size() + 41 + (used ? 1 : 0));
	}

	static Stream<Arguments> batchOfChosenIdsStays() {
		List<Long> batch = LongStream.rangeClosed(2, 10_001).boxed().toList();
		return Stream.of(arguments(true, batch), arguments(true, batch.stream().filter((id) -> id % 2 == 0).toList()),
				arguments(false, batch));
	}

	/**
	 * The application counts by type before the batch has arrived.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "hilo.naming=collection", "hilo.naming=raven" })
	void batchOfATypeStaysWhoseIdsAreNeverAssigned(String naming) {
		List<Long> issued = new ArrayList<>();
		TestApplications.run(this.database.contextRunner().withBean(BeforeTheBatchIsSent.class), (app) -> {
			app.bean(BeforeTheBatchIsSent.class).action = () -> LongStream.range(0, 3)
				.forEach((i) -> issued.add(app.generator().nextId(LongRec.class)));
			app.template().insertAll(List.of(new LongRec(2L, "own"), new LongRec(9L, BeforeTheBatchIsSent.LAST)));
		}, "hilo.assign-ids=none", naming);
		assertThat(issued).containsExactly(1L, 3L, 4L);
	}

	/**
	 * The name of the collection alone is known when the first callback is called.
	 */
	@Test
	void batchOfATypeStaysThatIsMappedOnlyWhenItIsSaved() {
		List<Long> issued = new ArrayList<>();
		TestApplications.run(this.database.contextRunner().withBean(BeforeTheBatchIsSent.class), (app) -> {
			app.bean(BeforeTheBatchIsSent.class).action = () -> issued.add(app.generator().nextId(LongRec.class));
			app.template().insert(List.of(new LongRec(1L, "own"), new LongRec(9L, BeforeTheBatchIsSent.LAST)), "longs");
		}, "hilo.assign-ids=none");
		assertThat(issued).containsExactly(2L);
	}

	@Test
	void chosenIdStaysInADatabaseThatIsNewToTheProcess() {
		ApplicationDatabase other = this.applications.newDatabase();
		this.applications.run((app) -> {
			MongoTemplate second = new MongoTemplate(
					new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), other.name()));
			app.context().getBeanFactory().autowireBean(second);
			LongStream.range(0, 10).forEach((i) -> app.template().insert(new LongRec(null, "new")));
			second.insertAll(Stream.of(3L, null, null, null)
				.map((@Nullable Long id) -> new LongRec(id, (id != null) ? "own" : "new"))
				.toList());
		});
		assertThat(other.ids("longs")).containsExactlyInAnyOrder(3L, 1L, 2L, 4L);
	}

	@Test
	void idStaysAfterItsSequenceCouldNotBeNamedOnce() {
		AtomicBoolean fails = new AtomicBoolean(true);
		TestApplications
			.run(this.database.contextRunner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> {
				if (fails.get()) {
					throw new IllegalStateException("no request");
				}
				return collection;
			}), (app) -> {
				app.template().insert(new LongRec(100L, "own"));
				fails.set(false);
				app.template().insertAll(List.of(new LongRec(101L, "own"), new LongRec(null, "new")));
			});
		assertThat(this.database.ids("longs")).containsExactlyInAnyOrder(100L, 101L, 102L);
	}

	/**
	 * Neither is anything read, nor does the counter jump to what is stored far above.
	 */
	@Test
	void numberThatIsChosenDirectlyAboveWhatIsHeldIsPassedAlone() {
		this.database.setCounter("longs", 0L);
		this.others.store("longs", 2_000_000_000L);
		this.applications.run((app) -> {
			app.template().save(new LongRec(null, "new"));
			app.template().insert(new LongRec(33L, "own"));
			LongStream.rangeClosed(2, 32).forEach((i) -> app.template().save(new LongRec(null, "new")));
			assertThat(app.template().save(new LongRec(null, "new")).id()).isEqualTo(34);
		}, "hilo.range.prefetch=false");
	}

	/**
	 * A strategy that refuses one type hides its ids from no other.
	 */
	@Test
	void idOfATypeWhoseSequenceCannotBeNamedStays() {
		TestApplications
			.run(this.database.contextRunner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> {
				if (type == Unnamed.class) {
					throw new IllegalStateException("no name");
				}
				return collection;
			}), (app) -> {
				app.template().save(new LongRec(null, "new"));
				app.template().save(new Unnamed(2L));
				assertThat(app.template().save(new LongRec(null, "new")).id()).isEqualTo(3);
			});
	}

	/**
	 * New ids would be refused there.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void documentWithAnIdIsStoredIfItsDatabaseCannotBeTold(boolean reactive, CapturedOutput output) {
		ApplicationDatabase other = this.applications.newDatabase();
		TestApplications.run(this.applications.reactive(true).withUserConfiguration(UntoldCluster.class), (app) -> {
			LongRec chosen = new LongRec(2L, "own");
			assertThatIllegalStateException().isThrownBy(() -> insertElsewhere(app, reactive, new LongRec(null, "new")))
				.withMessageContaining("no cluster");
			insertElsewhere(app, reactive, chosen);
			insertElsewhere(app, reactive, new LongRec(3L, "own"));
			assertThat(other.ids("longs")).containsExactly(2L, 3L);
			assertThat(output).as("one warning").containsOnlyOnce("could not be excluded");
		}, "other=" + other.name());
	}

	private static void insertElsewhere(TestApplication app, boolean reactive, Object entity) {
		Object unused = reactive
				? app.context().getBean("reactiveOther", ReactiveMongoTemplate.class).insert(entity).block()
				: app.context().getBean("other", MongoTemplate.class).insert(entity);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void listOfChosenAndNewDocumentsIsInserted(boolean reactive) {
		List<LongRec> list = Stream.of(null, 3L, null, null, 5L, null, null)
			.map((id) -> new LongRec(id, (id != null) ? "own" : "new"))
			.toList();
		run(reactive, (app) -> {
			Object unused = reactive ? app.reactiveTemplate().insertAll(list).collectList().block()
					: app.template().insertAll(list);
		});
		assertThat(this.database.ids("longs")).containsExactlyInAnyOrder(1L, 3L, 2L, 4L, 5L, 6L, 7L);
	}

	/**
	 * Whatever the type is, of Java or of BSON, and whether the document's type gets ids
	 * here: what is stored counts, and where.
	 */
	@ParameterizedTest
	@MethodSource
	void idOfAnyTypeStays(boolean reactive, String collection, Object chosen) {
		run(reactive, (app) -> {
			saveNew(app, reactive);
			Object unused = reactive ? app.reactiveTemplate().insert(chosen, collection).block()
					: app.template().insert(chosen, collection);
			saveNew(app, reactive);
		});
		assertThat(this.database.ids(collection)).hasSize(3);
	}

	static Stream<Arguments> idOfAnyTypeStays() {
		List<Object> numbers = List.of(new AnyId(2L), new AnyNumber(2), new ShortId((short) 2), new NamedId(2L),
				new Decimal(new BigDecimal(2)), new Elsewhere(2L), new AnyId(new BsonInt32(2)),
				new BsonNumberId(new BsonInt64(2)), new AnyId(new BsonDouble(2)),
				new BsonNumberId(new BsonDecimal128(new Decimal128(2))), new AnyId(new Decimal128(2)),
				new Document("_id", new BsonInt64(2)));
		List<Object> texts = List.of(new AnyId("texts/2-A"), new AnyId(new BsonString("texts/2-A")),
				new BsonTextId(new BsonString("texts/2-A")), new Document("_id", new BsonString("texts/2-A")));
		return Stream.of(false, true)
			.flatMap((reactive) -> Stream.concat(numbers.stream().map((id) -> arguments(reactive, "longs", id)),
					texts.stream().map((id) -> arguments(reactive, "texts", id))));
	}

	@Test
	void idInACollectionOfNoTypeStays() {
		this.applications.run((app) -> {
			assertThat(app.generator().nextId("crates")).isEqualTo(1);
			app.template().insert(new Document("_id", 2L), "crates");
			app.template().insert(new Document("_id", new BsonInt64(3)), "crates");
			assertThat(app.generator().nextId("crates")).isEqualTo(4);
		});
	}

	private void run(boolean reactive, ThrowingConsumer<TestApplication> test, String... properties) {
		TestApplications.run(reactive ? this.applications.reactive(false) : this.database.contextRunner(), test,
				properties);
	}

	private static void save(TestApplication app, boolean reactive, Object entity) {
		Object unused = reactive ? app.reactiveTemplate().save(entity).block() : app.template().save(entity);
	}

	/**
	 * Acts when the last document of a batch is about to be stored, on another thread.
	 */
	static final class BeforeTheBatchIsSent implements BeforeSaveCallback<LongRec> {

		private static final String LAST = "last";

		private Runnable action = () -> {
		};

		@Override
		public LongRec onBeforeSave(LongRec entity, Document document, String collection) {
			if (LAST.equals(entity.name())) {
				CompletableFuture.runAsync(this.action).join();
			}
			return entity;
		}

	}

	/**
	 * Templates of another database, whose factories do not say where it is.
	 */
	@Configuration(proxyBeanMethods = false)
	static class UntoldCluster {

		@Bean
		MongoTemplate mongoTemplate(MongoClient client, @Value("${spring.mongodb.database}") String database) {
			return new MongoTemplate(client, database);
		}

		@Bean
		ReactiveMongoTemplate reactiveMongoTemplate(com.mongodb.reactivestreams.client.MongoClient client,
				@Value("${spring.mongodb.database}") String database) {
			return new ReactiveMongoTemplate(client, database);
		}

		@Bean
		MongoTemplate other(MongoClient client, @Value("${other}") String database) {
			return new MongoTemplate(new SimpleMongoClientDatabaseFactory(client, database) {

				@Override
				protected MongoDatabase doGetMongoDatabase(String name) {
					return client.getDatabase(name);
				}

				@Override
				public MongoClient getMongoCluster() {
					throw new IllegalStateException("no cluster");
				}

			});
		}

		@Bean
		ReactiveMongoTemplate reactiveOther(com.mongodb.reactivestreams.client.MongoClient client,
				@Value("${other}") String database) {
			return new ReactiveMongoTemplate(new SimpleReactiveMongoDatabaseFactory(client, database) {

				@Override
				public com.mongodb.reactivestreams.client.MongoClient getMongoCluster() {
					throw new IllegalStateException("no cluster");
				}

			});
		}

	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record AnyId(Object id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record AnyNumber(Number id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record ShortId(Short id) {
	}

	record BsonNumberId(@Id BsonNumber id) {
	}

	record BsonTextId(@Id BsonString id) {
	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record NamedId(@Field("_id") Long number) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record Decimal(@Field(name = "_id", targetType = FieldType.DECIMAL128) BigDecimal number) {
	}

	@HiLo(enabled = false)
	record Elsewhere(Long id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record Unnamed(Long id) {
	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record ImportedNumber(Long id) {
	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("texts")
	record ImportedText(String id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("customers")
	record Customer(@Nullable String id, @HiLo @Nullable Long number) {
	}

}

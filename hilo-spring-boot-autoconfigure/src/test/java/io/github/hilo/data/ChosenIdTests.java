package io.github.hilo.data;

import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.StoredDocumentTests.LongRec;
import io.github.hilo.data.StoredDocumentTests.TextRec;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestApplications;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the application stores under ids of its own choice is not replaced by what the
 * same process saves later, although its range was found free before.
 */
class ChosenIdTests {

	private static final List<Object> SEEDS = IntStream.rangeClosed(1, 5)
		.boxed()
		.<Object>flatMap((i) -> Stream.of(new LongRec((long) i, "seed"), new TextRec("texts/" + i + "-A", "seed")))
		.toList();

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@MethodSource
	void seedsOfARangeThatWasReservedAtTheStartStay(BiConsumer<MongoTemplate, Object> save) {
		this.applications.run((app) -> {
			SEEDS.forEach((seed) -> save.accept(app.template(), seed));
			this.others.keepAll();
			for (int i = 1; i <= 40; i++) {
				app.template().save(new LongRec(null, "new"));
				app.template().save(new TextRec(null, "new"));
			}
		}, "hilo.warm-up=longs,texts");
		this.others.requireKept(80);
	}

	static Stream<Named<BiConsumer<MongoTemplate, Object>>> seedsOfARangeThatWasReservedAtTheStartStay() {
		return Stream.of(Named.of("save", MongoTemplate::save), Named.of("insert", MongoTemplate::insert),
				Named.of("insertAll", (template, entity) -> template.insertAll(List.of(entity))),
				Named.of("bulk", (template,
						entity) -> template.bulkOps(BulkMode.ORDERED, entity.getClass()).insert(entity).execute()));
	}

	@Test
	void reactiveSeedsStay() {
		this.applications.runReactive((app) -> {
			Flux.fromIterable(SEEDS).concatMap(app.reactiveTemplate()::save).blockLast();
			this.others.keepAll();
			Flux.range(1, 40)
				.concatMap((i) -> Flux.just(new LongRec(null, "new"), new TextRec(null, "new")))
				.concatMap(app.reactiveTemplate()::save)
				.blockLast();
		}, "hilo.warm-up=longs,texts");
		this.others.requireKept(80);
	}

	/**
	 * Whatever the types are named after, and whether ids of theirs are ever missing.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "hilo.naming=collection", "hilo.naming=raven", "hilo.assign-ids=none" })
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

	private static void saveNew(TestApplications.TestApplication app) {
		app.template().save(new LongRec(app.generator().nextId(LongRec.class), "new"));
		app.template().save(new TextRec(app.generator().nextDocumentId(TextRec.class), "new"));
	}

	@Test
	void reactiveIdsOfTypesStayWhoseIdsAreLeftToTheApplication() {
		this.applications.runReactive((app) -> {
			app.reactiveTemplate().save(new LongRec(null, "new")).block();
			app.reactiveTemplate().save(new ImportedNumber(3L)).block();
			this.others.keepAll();
			Flux.range(1, 5).concatMap((i) -> app.reactiveTemplate().save(new LongRec(null, "new"))).blockLast();
		});
		this.others.requireKept(5);
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
			LongStream.rangeClosed(1, 5).forEach((i) -> template.save(new Customer(null, null)));
			assertThat(template.findAll(Customer.class)).extracting(Customer::number)
				.containsExactlyInAnyOrder(1L, 3L, 2L, 4L, 5L, 6L, 7L);
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
	void strategyThatThrowsForAnIdThatIsSetChangesNothing() {
		TestApplications
			.run(this.database.contextRunner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> {
				throw new IllegalStateException("no name");
			}), (app) -> SEEDS.forEach((seed) -> assertThat(app.template().save(seed)).isEqualTo(seed)));
	}

	@Test
	void idThatIsSetCreatesNoSequenceAndResolvesNoDatabase() {
		this.applications.run((app) -> {
			app.template().save(new LongRec(7L, "own"));
			assertThat(app.engine().snapshot()).isEmpty();
		});
	}

	/**
	 * Every one of them ended with an error when what was known of it was pushed out by
	 * what others were given.
	 */
	@Test
	void largeBlockBesideBusyCallersIsTakenAtOnce() {
		this.applications.run((app) -> {
			HiLoIdGenerator generator = app.generator();
			List<Thread> callers = Stream
				.<Runnable>of(() -> generator.nextId(LongRec.class), () -> generator.nextDocumentId(TextRec.class),
						() -> generator.nextDocumentId(TextRec.class))
				.map((call) -> new Thread(() -> LongStream.range(0, 20_000)
					.takeWhile((i) -> !Thread.currentThread().isInterrupted())
					.forEach((i) -> call.run())))
				.toList();
			callers.forEach(Thread::start);
			try {
				for (int i = 0; i < 3; i++) {
					assertThat(generator.nextDocumentIds(TextRec.class, 100_000)).hasSize(100_000)
						.doesNotHaveDuplicates();
					assertThat(generator.nextIds(LongRec.class, 100_000)).hasSize(100_000);
				}
			}
			finally {
				callers.forEach(Thread::interrupt);
			}
			for (Thread caller : callers) {
				caller.join();
			}
		}, "hilo.range.max-size=32");
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

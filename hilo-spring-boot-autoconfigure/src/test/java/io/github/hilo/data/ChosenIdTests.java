package io.github.hilo.data;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.RecordedCommands;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.mongodb.core.BulkOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the application stores under ids of its own choice is not replaced by what the
 * same process saves later, although its range was found free before.
 */
class ChosenIdTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationDatabase other = new ApplicationDatabase();

	private final RecordedCommands commands = new RecordedCommands();

	@AfterEach
	void dropDatabases() {
		List.of(this.database, this.other)
			.forEach((database) -> MongoTestServer.client().getDatabase(database.name()).drop());
	}

	@ParameterizedTest
	@MethodSource("ways")
	void seedsOfARangeThatWasReservedAtTheStartStay(String way, Way save) {
		runner().withPropertyValues("hilo.warm-up=numbers,texts").run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (int i = 1; i <= 5; i++) {
				save.save(template, new Numbered((long) i, "seed"));
				save.save(template, new Text("texts/" + i + "-A", "seed"));
			}
			for (int i = 1; i <= 40; i++) {
				template.save(new Numbered(null, "new"));
				template.save(new Text(null, "new"));
			}
			assertSeeds("numbers", 5, 45);
			assertSeeds("texts", 5, 45);
		});
	}

	static Stream<Arguments> ways() {
		return Stream.of(arguments("save", (Way) MongoTemplate::save), arguments("insert", (Way) MongoTemplate::insert),
				arguments("insertAll", (Way) (template, entity) -> template.insertAll(List.of(entity))),
				arguments("bulk",
						(Way) (template, entity) -> template.bulkOps(BulkOperations.BulkMode.ORDERED, entity.getClass())
							.insert(entity)
							.execute()),
				arguments("repository", (Way) (template, entity) -> repository(template, entity).save(entity)),
				arguments("saveAll",
						(Way) (template, entity) -> repository(template, entity).saveAll(List.of(entity))));
	}

	@SuppressWarnings("unchecked")
	private static <T> MongoRepository<T, Object> repository(MongoTemplate template, T entity) {
		MongoRepositoryFactory factory = new MongoRepositoryFactory(template);
		return (entity instanceof Numbered)
				? (MongoRepository<T, Object>) (MongoRepository<?, ?>) factory.getRepository(Numbers.class)
				: (MongoRepository<T, Object>) (MongoRepository<?, ?>) factory.getRepository(Texts.class);
	}

	@Test
	void reactiveSeedsStay() {
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties())
			.withPropertyValues("hilo.warm-up=numbers,texts")
			.run((context) -> {
				ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
				for (int i = 1; i <= 5; i++) {
					template.save(new Numbered((long) i, "seed")).block();
					template.save(new Text("texts/" + i + "-A", "seed")).block();
				}
				template.save(new ImportedNumber(7L, "seed")).block();
				for (int i = 1; i <= 40; i++) {
					template.save(new Numbered(null, "new")).block();
					template.save(new Text(null, "new")).block();
				}
			});
		assertSeeds("numbers", 6, 46);
		assertSeeds("texts", 5, 45);
	}

	/**
	 * Whatever the types are named after, and whether ids of theirs are ever missing.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "hilo.naming=collection", "hilo.naming=raven", "hilo.assign-ids=none" })
	void idsOfTypesStayWhoseIdsAreLeftToTheApplication(String property) {
		runner().withPropertyValues(property).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			template.save(new Numbered(generator.nextId(Numbered.class), "new"));
			template.save(new Text(generator.nextDocumentId(Text.class), "new"));
			template.save(new ImportedNumber(3L, "seed"));
			template.save(new ImportedText(generator.nextDocumentId(Text.class).replace("2", "4"), "seed"));
			for (int i = 0; i < 5; i++) {
				template.save(new Numbered(generator.nextId(Numbered.class), "new"));
				template.save(new Text(generator.nextDocumentId(Text.class), "new"));
			}
		});
		assertSeeds("numbers", 1, 7);
		assertSeeds("texts", 1, 7);
	}

	/**
	 * As an application does that inserts at its own choice now and then.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void idsChosenAboveTheLastOneStay(boolean consecutive) {
		runner().withPropertyValues("hilo.sequences.numbers.consecutive=" + consecutive).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			long last = 0;
			for (int i = 1; i <= 300; i++) {
				if (i % 7 == 0) {
					template.insert(new Numbered(last + 2 + i % 5, "seed"));
				}
				last = Objects.requireNonNull(template.save(new Numbered(null, "new")).id());
			}
		});
		assertSeeds("numbers", 42, 342);
	}

	@Test
	void idChosenInTheRangeThatWasReservedInAdvanceStays() {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoEngine engine = context.getBean(HiLoEngine.class);
			LongStream.rangeClosed(1, 70).forEach((i) -> template.save(new Numbered(null, "new")));
			Awaitility.await().until(() -> hasNext(engine));
			template.save(new Numbered(100L, "seed"));
			LongStream.rangeClosed(1, 100).forEach((i) -> template.save(new Numbered(null, "new")));
		});
		assertSeeds("numbers", 1, 171);
	}

	private static boolean hasNext(HiLoEngine engine) {
		return engine.snapshot()
			.values()
			.stream()
			.flatMap((sequences) -> sequences.values().stream())
			.anyMatch((sequence) -> sequence.next() != null);
	}

	@Test
	void numberOfAPropertyThatTheApplicationSetsIsGivenOnce() {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new Customer(null, null));
			template.save(new Customer(null, 3L));
			LongStream.rangeClosed(1, 5).forEach((i) -> template.save(new Customer(null, null)));
			assertThat(template.findAll(Customer.class)).extracting(Customer::number)
				.containsExactlyInAnyOrder(1L, 3L, 2L, 4L, 5L, 6L, 7L);
		});
	}

	@Test
	void sequencesOfOneNameInTwoDatabasesKnowIt() {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			MongoTemplate second = new MongoTemplate(
					new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), this.other.name()));
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			second.setEntityCallbacks(org.springframework.data.mapping.callback.EntityCallbacks
				.create(context.getBean(HiLoBeforeConvertCallback.class)
					.withGenerator(generator.forDatabase(this.other.name()))));
			template.save(new Numbered(null, "new"));
			second.save(new Numbered(null, "new"));
			second.save(new Numbered(3L, "seed"));
			template.save(new Numbered(4L, "seed"));
			for (int i = 0; i < 5; i++) {
				template.save(new Numbered(null, "new"));
				second.save(new Numbered(null, "new"));
			}
			assertThat(second.findById(3L, Numbered.class)).isEqualTo(new Numbered(3L, "seed"));
			assertThat(template.findById(4L, Numbered.class)).isEqualTo(new Numbered(4L, "seed"));
		});
		assertThat(this.database.ids("numbers")).hasSize(7);
		assertThat(this.other.ids("numbers")).hasSize(7);
	}

	@Test
	void strategyThatThrowsForAnIdThatIsSetChangesNothing() {
		runner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> {
			throw new IllegalStateException("no name");
		}).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.save(new Numbered(7L, "own"))).isEqualTo(new Numbered(7L, "own"));
			assertThat(template.save(new Text("mine", "own"))).isEqualTo(new Text("mine", "own"));
		});
	}

	@Test
	void updatesBlocksAndIdsTakenBeforeTakeNoFindAndLoseNoNumber() {
		runner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			List<Numbered> saved = IntStream.range(0, 10)
				.mapToObj((i) -> template.save(new Numbered(null, "new")))
				.toList();
			List<Long> block = new ArrayList<>(LongStream.of(generator.nextIds(Numbered.class, 10)).boxed().toList());
			Collections.shuffle(block);
			this.commands.clear();
			saved.forEach(template::save);
			block.forEach((id) -> template.save(new Numbered(id, "own")));
			template.save(new Numbered(generator.nextId(Numbered.class), "own"));
			assertThat(template.save(new Numbered(null, "new")).id()).isEqualTo(22);
			assertThat(this.commands.ofKind("find")).isEmpty();
		});
	}

	@Test
	void idThatIsSetCreatesNoSequenceAndResolvesNoDatabase() {
		runner().run((context) -> {
			context.getBean(MongoTemplate.class).save(new Numbered(7L, "own"));
			assertThat(context.getBean(HiLoEngine.class).snapshot()).isEmpty();
		});
	}

	/**
	 * Every one of them ended with an error when what was known of it was pushed out by
	 * what others were given.
	 */
	@Test
	void largeBlockBesideBusyCallersIsTakenAtOnce() {
		runner().withPropertyValues("hilo.range.max-size=32").run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			List<Thread> callers = Stream
				.<Runnable>of(() -> generator.nextId(Numbered.class), () -> generator.nextDocumentId(Text.class),
						() -> generator.nextDocumentId(Text.class))
				.map((call) -> new Thread(() -> LongStream.range(0, 20_000)
					.takeWhile((i) -> !Thread.currentThread().isInterrupted())
					.forEach((i) -> call.run())))
				.toList();
			callers.forEach(Thread::start);
			try {
				for (int i = 0; i < 3; i++) {
					assertThat(generator.nextDocumentIds(Text.class, 100_000)).hasSize(100_000).doesNotHaveDuplicates();
					assertThat(generator.nextIds(Numbered.class, 100_000)).hasSize(100_000);
				}
			}
			finally {
				callers.forEach(Thread::interrupt);
			}
			for (Thread caller : callers) {
				caller.join();
			}
		});
	}

	private ApplicationContextRunner runner() {
		return this.database.contextRunner()
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.addCommandListener(this.commands));
	}

	private void assertSeeds(String collection, int seeds, int all) {
		assertThat(this.database.collection(collection).find(new Document("name", "seed")).into(new ArrayList<>()))
			.as("they were not replaced")
			.hasSize(seeds);
		assertThat(this.database.ids(collection)).hasSize(all);
	}

	@FunctionalInterface
	private interface Way {

		void save(MongoTemplate template, Object entity);

	}

	interface Numbers extends MongoRepository<Numbered, Long> {

	}

	interface Texts extends MongoRepository<Text, String> {

	}

	@org.springframework.data.mongodb.core.mapping.Document("numbers")
	record Numbered(@Nullable Long id, String name) {
	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("numbers")
	record ImportedNumber(Long id, String name) {
	}

	@HiLo(enabled = false)
	@org.springframework.data.mongodb.core.mapping.Document("texts")
	record ImportedText(String id, String name) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("texts")
	record Text(@Nullable String id, String name) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("customers")
	record Customer(@Nullable String id, @HiLo @Nullable Long number) {
	}

}

package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.engine.FreeIds;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.RecordedCommands;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Nothing that is stored is overwritten, whatever is known of it: {@code save} of an
 * entity without a version replaces the document that has its id.
 */
class StoredDocumentTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationDatabase other = new ApplicationDatabase();

	@AfterEach
	void dropDatabases() {
		List.of(this.database, this.other)
			.forEach((database) -> MongoTestServer.client().getDatabase(database.name()).drop());
	}

	@Test
	void documentFromBeforeIsNotReplacedByANewOne() {
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.insert(new LongRec(1L, "precious"));
			template.insert(new TextRec("texts/1-A", "precious"));
			assertThat(template.save(new TextRec(null, "new"))).isEqualTo(new TextRec("texts/2-A", "new"));
			assertThat(template.save(new LongRec(null, "new"))).isEqualTo(new LongRec(2L, "new"));
			assertThat(template.findAll(LongRec.class)).containsExactly(new LongRec(1L, "precious"),
					new LongRec(2L, "new"));
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void reactiveSaveReplacesNothingEither(boolean bothDrivers) {
		insert(this.database, "longs", 1L, 2L);
		insert(this.database, "texts", "texts/1-A");
		ApplicationContextRunner runner = bothDrivers
				? ReactiveApplications.withBothDrivers(this.database.connectionProperties())
				: ReactiveApplications.withReactiveDriver(this.database.connectionProperties());
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			assertThat(template.save(new LongRec(null, "new")).block()).isEqualTo(new LongRec(3L, "new"));
			assertThat(template.save(new TextRec(null, "new")).block()).isEqualTo(new TextRec("texts/2-A", "new"));
			insert(this.other, "longs", 41L);
			assertThat(context.getBean(ReactiveHiLoIdGenerator.class)
				.forDatabase(this.other.name())
				.nextId("longs")
				.block()).isEqualTo(42);
		});
		assertThat(this.database.ids("longs")).containsExactly(1L, 2L, 3L);
		assertThat(this.database.ids("texts")).containsExactly("texts/1-A", "texts/2-A");
	}

	@Test
	void counterThatWasDeletedStartsAboveWhatIsStored() {
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			LongStream.rangeClosed(1, 40).forEach((number) -> template.save(new LongRec(null, "old")));
		});
		this.database.collection("@hilo").drop();
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.save(new LongRec(null, "new")).id()).isEqualTo(41);
		});
		assertThat(this.database.ids("longs")).hasSize(41);
	}

	@Test
	void numberThatTheApplicationChoseItselfIsSkipped() {
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new LongRec(null, "first"));
			template.insert(new LongRec(50L, "chosen"));
			LongStream.rangeClosed(1, 100).forEach((number) -> template.save(new LongRec(null, "next")));
			assertThat(template.findById(50, LongRec.class)).isEqualTo(new LongRec(50L, "chosen"));
		});
		assertThat(this.database.ids("longs")).hasSize(102);
	}

	@Test
	void initialValueServerPrefixWarmUpAndBlocksStartAboveWhatIsStored() {
		insert(this.database, "longs", 700L);
		insert(this.database, "texts", "texts/North/800-A", "texts/900-B");
		this.database.collection("@hilo")
			.insertOne(new Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", "North/"));
		this.database.contextRunner()
			.withPropertyValues("hilo.initial-value=500", "hilo.server-prefix-document=true", "hilo.warm-up=longs")
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				assertThat(this.database.collection("@hilo").find(new Document("_id", "Raven/HiLo/longs")).first())
					.containsEntry("Max", 732L);
				assertThat(generator.nextIds(LongRec.class, 100)).contains(701, 800);
				assertThat(context.getBean(MongoTemplate.class).save(new TextRec(null, "new")).id())
					.isEqualTo("texts/North/901-A");
				assertThat(generator.nextId("unused")).isEqualTo(500);
			});
	}

	@Test
	void collectionThatIsNamedLateMayHoldNumbersOfTheRangeInUse() {
		insert(this.database, "archive", 5L);
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.save(new Ticket(null)).id()).isEqualTo(1);
			LongStream.rangeClosed(1, 8)
				.forEach((number) -> assertThat(template.save(new Ticket(null), "archive").id()).isGreaterThan(5));
		});
		assertThat(this.database.ids("archive")).hasSize(9);
		assertThat(this.database.collection("archive").find(new Document("_id", 5L)).first())
			.isEqualTo(new Document("_id", 5L));
	}

	@Test
	void collectionThatIsNamedLateByAReactiveSaveMayHoldNumbersOfTheRangeInUse() {
		insert(this.database, "archive", 5L);
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties()).run((context) -> {
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			template.save(new Ticket(null)).block();
			for (int i = 0; i < 8; i++) {
				template.save(new Ticket(null), "archive").block();
			}
		});
		assertThat(this.database.ids("archive")).hasSize(9);
	}

	@Test
	void textsOfACollectionThatIsNamedLateAreNotReplacedByTheNextOnes() {
		insert(this.database, "archive", "labels/5-A");
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.save(new Label(null)).id()).isEqualTo("labels/1-A");
			LongStream.rangeClosed(1, 8).forEach((number) -> template.save(new Label(null), "archive"));
		});
		assertThat(this.database.ids("archive")).hasSize(9);
	}

	/**
	 * Far above the first 32 texts of the process.
	 */
	@Test
	void everyTextOfACollectionThatIsNamedLateIsConfirmed() {
		insert(this.database, "archive", "labels/700-A", "labels/1300-A");
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new Label(null));
			LongStream.rangeClosed(1, 2_000).forEach((number) -> template.save(new Label(null), "archive"));
		});
		assertThat(this.database.ids("archive")).hasSize(2_002);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "hilo.warm-up=tickets" })
	void rangeThatWasReservedByNameIsConfirmedForATypeThatAsks(String property) {
		insert(this.database, "archive", 5L, 9L, 40L);
		this.database.contextRunner().withPropertyValues(property).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextId("tickets");
			assertThat(generator.nextId(OldTicket.class)).isGreaterThan(40);
			insert(this.database, "archive", 62L);
			assertThat(generator.nextIds(OldTicket.class, 100)).doesNotContain(5, 9, 40);
			assertThat(generator.sequence(OldTicket.class).nextId()).isGreaterThan(100);
		});
	}

	@Test
	void blocksAndTextsOfATypeThatAsksLateAreConfirmed() {
		insert(this.database, "archive", "notes/20-A", "notes/45-A");
		run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextDocumentId("notes");
			List<String> ids = generator.nextDocumentIds(Note.class, 25);
			assertThat(ids).hasSize(25).doesNotContain("notes/20-A", "notes/45-A");
			assertThat(generator.nextDocumentId(Note.class)).isNotIn("notes/20-A", "notes/45-A");
			assertThat(context.getBean(MongoTemplate.class).insert(new Note(null)).id()).isNotNull();
		});
	}

	@Test
	void reactiveCallsByTypeAreConfirmed() {
		insert(this.database, "archive", 20L);
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties()).run((context) -> {
			ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class);
			generator.nextId("tickets").block();
			assertThat(generator.nextIds(OldTicket.class, 25).block()).hasSize(25).doesNotContain(20);
			assertThat(generator.nextId(OldTicket.class).block()).isGreaterThan(45);
		});
	}

	@Test
	void decoratedGeneratorIsConfirmedWhereTheTemplateSaves() {
		insert(this.database, "archive", 5L);
		this.database.contextRunner().withBean(Decorator.class).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new Ticket(null));
			LongStream.rangeClosed(1, 8).forEach((number) -> template.save(new Ticket(null), "archive"));
		});
		assertThat(this.database.ids("archive")).hasSize(9);
	}

	@Test
	void sequenceOverManyCollectionsTakesAtMostOneFindForEachRangeAndCollection() {
		RecordedCommands commands = new RecordedCommands();
		this.database.contextRunner()
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.addCommandListener(commands))
			.run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				for (int round = 0; round < 2; round++) {
					LongStream.rangeClosed(1, 100)
						.forEach((number) -> template.save(new Ticket(null), "tickets-" + number));
				}
				int reservations = commands.ofKind("reserve").size();
				assertThat(reservations).isLessThan(20);
				assertThat(commands.ofKind("find").size()).isLessThanOrEqualTo(200 + 10 * reservations);
				// Beyond the range whose numbers were found free there.
				insert(this.database, "tickets-7", 230L);
				commands.clear();
				LongStream.rangeClosed(1, 100).forEach((number) -> template.save(new Ticket(null), "tickets-7"));
				assertThat(commands.ofKind("find").size())
					.isLessThanOrEqualTo(4 + 10 * commands.ofKind("reserve").size());
			});
		assertThat(this.database.ids("tickets-8")).hasSize(2);
		assertThat(this.database.ids("tickets-7")).hasSize(103);
	}

	@Test
	void textsAreToldApartWhateverDigitsTheirTagHas() {
		insert(this.database, "archive", "labels/7-20");
		this.database.contextRunner().withPropertyValues("hilo.node-tag=20").run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.save(new Label(null));
			LongStream.rangeClosed(1, 10).forEach((number) -> template.save(new Label(null), "archive"));
		});
		assertThat(this.database.ids("archive")).hasSize(11);
	}

	@Test
	void idsThatAreNeverFreeEndWithAnError() {
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> FreeIds.take("tickets", () -> 2L, (number) -> CompletableFuture.completedFuture(false),
					new Deadline(Duration.ofSeconds(9), TimeSource.SYSTEM)))
			.withMessageContainingAll("'tickets'", "5 times");
	}

	/**
	 * The scan may take longer than the save that began it waits.
	 */
	@Test
	void rangeBelowWhatIsStoredInALateCollectionIsDiscardedOnce() {
		LongStream.rangeClosed(1, 300).forEach((number) -> insert(this.database, "archive", "labels/" + number + "-A"));
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.save(new Label(null)).id()).isEqualTo("labels/1-A");
			assertThat(template.save(new Label(null), "archive").id()).isEqualTo("labels/301-A");
			assertThat(template.save(new Label(null)).id()).isEqualTo("labels/302-A");
		});
	}

	@Test
	void rangeThatWasReservedBeforeATypeWasKnownIsNotUsedForIt() {
		insert(this.database, "archive", 20L);
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(template.save(new Ticket(null)).id()).isEqualTo(1);
			template.count(new Query(), OldTicket.class);
			context.getBean(HiLoIdGenerator.class).forDatabase(this.other.name()).nextId("tickets");
			LongStream.rangeClosed(1, 30).forEach((number) -> template.save(new OldTicket(null, "new")));
		});
		assertThat(this.database.ids("archive")).hasSize(31);
	}

	@Test
	void rangeThatWasReservedBeforeTheOneInAdvanceIsNotUsedForANewTypeEither() {
		insert(this.database, "archive", 70L);
		run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoEngine engine = context.getBean(HiLoEngine.class);
			HiLoIdGenerator generator = engine.generator();
			template.count(new Query(), Ticket.class);
			LongStream.rangeClosed(1, 40).forEach((number) -> generator.nextId("tickets"));
			template.save(new Ticket(null));
			template.count(new Query(), OldTicket.class);
			LongStream.rangeClosed(42, 66).forEach((number) -> generator.nextId("tickets"));
			Awaitility.await()
				.until(() -> engine.snapshot()
					.values()
					.stream()
					.flatMap((sequences) -> sequences.values().stream())
					.anyMatch((sequence) -> sequence.next() != null));
			LongStream.rangeClosed(1, 10).forEach((number) -> template.save(new OldTicket(null, "new")));
		});
		assertThat(this.database.collection("archive").find(new Document("_id", 70L)).first())
			.isEqualTo(new Document("_id", 70L));
	}

	@Test
	void subscriberThatLeavesAtOnceHarmsNobodyElse() {
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties()).run((context) -> {
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			template.save(new Ticket(null)).block();
			template.save(new Ticket(null), "archive").subscribe().dispose();
			assertThat(template.save(new Ticket(null), "archive").block()).isNotNull();
		});
	}

	@Test
	void whereTheSwitchIsOffNothingIsLookedAt() {
		insert(this.database, "longs", 700L);
		insert(this.database, "texts", "texts/800-A");
		this.database.contextRunner()
			.withPropertyValues("hilo.check-stored-ids=false", "hilo.sequences.texts.check-stored-ids=true")
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				assertThat(generator.nextId(LongRec.class)).isEqualTo(1);
				assertThat(generator.nextId(TextRec.class)).isEqualTo(801);
			});
	}

	private void run(ThrowingConsumer<ApplicationContext> test) {
		this.database.contextRunner().run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private static void insert(ApplicationDatabase database, String collection, Object... ids) {
		for (Object id : ids) {
			database.collection(collection).insertOne(new Document("_id", id));
		}
	}

	@org.springframework.data.mongodb.core.mapping.Document("longs")
	record LongRec(@Nullable Long id, @Nullable String name) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("texts")
	record TextRec(@Nullable String id, @Nullable String name) {
	}

	@HiLo(sequence = "tickets")
	@org.springframework.data.mongodb.core.mapping.Document("tickets")
	record Ticket(@Nullable Long id) {
	}

	@HiLo(sequence = "tickets")
	@org.springframework.data.mongodb.core.mapping.Document("archive")
	record OldTicket(@Nullable Long id, @Nullable String name) {
	}

	@HiLo(sequence = "notes")
	@org.springframework.data.mongodb.core.mapping.Document("archive")
	record Note(@Nullable String id) {
	}

	/**
	 * Wraps the generator, as an application might.
	 */
	static class Decorator implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof HiLoIdGenerator generator) ? new Decorated(generator) : bean;
		}

	}

	record Decorated(HiLoIdGenerator generator) implements HiLoIdGenerator {

		@Override
		public HiLoSequence sequence(Class<?> entityType) {
			return this.generator.sequence(entityType);
		}

		@Override
		public HiLoSequence sequence(String sequence) {
			return this.generator.sequence(sequence);
		}

		@Override
		public HiLoIdGenerator forDatabase(@Nullable String database) {
			return new Decorated(this.generator.forDatabase(database));
		}

		@Override
		public void release() {
			this.generator.release();
		}

	}

	@org.springframework.data.mongodb.core.mapping.Document("labels")
	@HiLo(sequence = "labels")
	record Label(@Nullable String id) {
	}

}

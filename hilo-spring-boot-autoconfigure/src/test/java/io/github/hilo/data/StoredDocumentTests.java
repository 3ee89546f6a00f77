package io.github.hilo.data;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Documents.Label;
import io.github.hilo.fixture.Documents.LongRec;
import io.github.hilo.fixture.Documents.TextRec;
import io.github.hilo.fixture.Documents.Ticket;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing that is stored is overwritten, whatever is known of it: {@code save} of an
 * entity without a version replaces the document that has its id.
 */
class StoredDocumentTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void reactiveSaveReplacesNothing(boolean bothDrivers) {
		ApplicationDatabase other = this.applications.newDatabase();
		other.collection("longs").insertOne(new Document("_id", 41L));
		this.others.store("longs", 1L, 2L);
		this.others.store("texts", "texts/1-A");
		TestApplications.run(this.applications.reactive(bothDrivers), (app) -> {
			ReactiveMongoTemplate template = app.reactiveTemplate();
			assertThat(template.save(new LongRec(null, "new")).block()).isEqualTo(new LongRec(3L, "new"));
			assertThat(template.save(new TextRec(null, "new")).block()).isEqualTo(new TextRec("texts/2-A", "new"));
			assertThat(app.reactiveGenerator().forDatabase(other.name()).nextId("longs").block()).isEqualTo(42);
		});
		this.others.requireKept(2);
	}

	/**
	 * The ranges are twice as large each time, until one leaves a number.
	 */
	@Test
	void importedIdsAboveTheCounterArePassedInFewRanges() {
		for (String collection : List.of("longs", "texts")) {
			this.database.setCounter(collection, 0L);
			this.database.collection(collection)
				.insertMany(LongStream.rangeClosed(1, 20_000)
					.mapToObj((i) -> new Document("_id", collection.equals("longs") ? (Object) i : "texts/" + i + "-A"))
					.toList());
		}
		this.applications.run((app) -> {
			assertThat(app.template().save(new LongRec(null, "new")).id()).isEqualTo(20_001);
			assertThat(app.template().save(new TextRec(null, "new")).id()).isEqualTo("texts/20001-A");
			assertThat(app.engine().snapshot().values()).flatExtracting(Map::values)
				.extracting(SequenceSnapshot::reservations)
				.containsExactly(10L, 10L);
		});
	}

	@Test
	void documentsAtTheEndsOfTheNextFortyRangesDoNotUseUpTheCounter() {
		this.database.setCounter("longs", 0L);
		long end = 0;
		for (int i = 0; i < 40; i++) {
			end += Math.min(32L << i, 1_048_576);
			this.others.store("longs", end);
		}
		long last = end;
		this.applications.run((app) -> {
			assertThat(app.template().save(new LongRec(null, "new")).id()).isEqualTo(last + 1);
			assertThat(app.template().save(new LongRec(null, "new")).id()).isEqualTo(last + 2);
		});
		this.others.requireKept(2);
	}

	@Test
	void initialValueServerPrefixWarmUpAndBlocksStartAboveWhatIsStored() {
		this.others.store("longs", 700L);
		this.others.store("texts", "texts/North/800-A", "texts/900-B");
		this.database.collection("@hilo")
			.insertOne(new Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", "North/"));
		this.applications.run((app) -> {
			assertThat(this.database.collection("@hilo").find(new Document("_id", "Raven/HiLo/longs")).first())
				.containsEntry("Max", 732L);
			assertThat(app.generator().nextIds(LongRec.class, 100)).contains(701, 800);
			assertThat(app.template().save(new TextRec(null, "new")).id()).isEqualTo("texts/North/801-A");
			assertThat(app.generator().nextId("unused")).isEqualTo(500);
		}, "hilo.initial-value=500", "hilo.server-prefix-document=true", "hilo.warm-up=longs");
	}

	@Test
	void collectionThatIsNamedLateByAReactiveSaveMayHoldIdsOfTheRangeInUse() {
		this.others.store("archive", 5L, "labels/5-A", "labels/33-A");
		this.applications.runReactive((app) -> {
			ReactiveMongoTemplate template = app.reactiveTemplate();
			Flux.concat(template.save(new Ticket(null)), template.save(new Label(null))).blockLast();
			for (Object entity : List.of(new Ticket(null), new Label(null))) {
				Flux.range(0, 40).flatMap((i) -> template.save(entity, "archive"), 8).blockLast();
			}
		});
		this.others.requireKept(82);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "hilo.warm-up=tickets" })
	void rangeThatWasReservedByNameIsCheckedForATypeThatAsks(String property) {
		this.others.store("archive", 5L, 9L, 40L);
		this.applications.run((app) -> {
			HiLoIdGenerator generator = app.generator();
			generator.nextId("tickets");
			assertThat(generator.nextId(OldTicket.class)).isEqualTo(10);
			this.others.store("archive", 62L);
			assertThat(generator.nextIds(OldTicket.class, 100)).doesNotContain(5, 9, 40, 62);
			assertThat(generator.sequence(OldTicket.class).nextId()).isGreaterThan(100);
		}, property);
	}

	@Test
	void blocksAndTextsOfATypeThatAsksLateAreChecked() {
		this.others.store("archive", "notes/20-A", "notes/45-A");
		this.applications.run((app) -> {
			HiLoIdGenerator generator = app.generator();
			generator.nextDocumentId("notes");
			List<String> ids = generator.nextDocumentIds(Note.class, 25);
			assertThat(ids).hasSize(25).doesNotContain("notes/20-A", "notes/45-A");
			assertThat(generator.nextDocumentId(Note.class)).isNotIn("notes/20-A", "notes/45-A");
			assertThat(app.template().insert(new Note(null)).id()).isNotNull();
		});
	}

	@Test
	void reactiveCallsByTypePassStoredNumbers() {
		this.others.store("archive", 20L);
		this.applications.runReactive((app) -> {
			ReactiveHiLoIdGenerator generator = app.reactiveGenerator();
			generator.nextId("tickets").block();
			assertThat(generator.nextIds(OldTicket.class, 25).block()).hasSize(25).doesNotContain(20);
			assertThat(generator.nextId(OldTicket.class).block()).isGreaterThan(45);
		});
	}

	/**
	 * With ranges that grow: 33 to 96, 97 to 224, 225 to 480.
	 */
	@Test
	void textsThatAreStoredInALateCollectionArePassedAndNotRead() {
		LongStream.rangeClosed(1, 300).forEach((number) -> this.others.store("archive", "labels/" + number + "-A"));
		this.applications.run((app) -> {
			assertThat(app.template().save(new Label(null)).id()).isEqualTo("labels/1-A");
			assertThat(app.template().save(new Label(null), "archive").id()).isEqualTo("labels/301-A");
			assertThat(app.template().save(new Label(null)).id()).isEqualTo("labels/302-A");
		});
	}

	@Test
	void whereTheSwitchIsOffNothingIsLookedAt() {
		this.others.store("longs", 700L);
		this.others.store("texts", "texts/800-A");
		this.applications.run((app) -> {
			assertThat(app.generator().nextId(LongRec.class)).isEqualTo(1);
			assertThat(app.generator().nextId(TextRec.class)).isEqualTo(801);
		}, "hilo.check-stored-ids=false", "hilo.sequences.texts.check-stored-ids=true");
	}

	@HiLo(sequence = "tickets")
	@org.springframework.data.mongodb.core.mapping.Document("archive")
	record OldTicket(@Nullable Long id, @Nullable String name) {
	}

	@HiLo(sequence = "notes")
	@org.springframework.data.mongodb.core.mapping.Document("archive")
	record Note(@Nullable String id) {
	}

}

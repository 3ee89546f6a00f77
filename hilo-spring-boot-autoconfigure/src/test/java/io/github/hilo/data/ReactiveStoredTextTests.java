package io.github.hilo.data;

import io.github.hilo.data.StoredDocumentTests.Label;
import io.github.hilo.data.StoredDocumentTests.TextRec;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link StoredTextTests} where saves are reactive.
 */
class ReactiveStoredTextTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@AfterEach
	void dropDatabase() {
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@ParameterizedTest
	@ValueSource(ints = { 32, 33, 65 })
	void textAboveTheCounterIsNotReplaced(int number) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/" + number + "-A");
		run((context) -> save(context, new TextRec(null, "new"), "texts", 100));
		this.others.requireKept(100);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 33 })
	void textOfAPlaceThatBecomesKnownLateIsNotReplaced(int number) {
		this.others.store("archive", "labels/" + number + "-A");
		run((context) -> {
			save(context, new Label(null), "labels", 1);
			save(context, new Label(null), "archive", 60);
		});
		this.others.requireKept(61);
	}

	@Test
	void blockOfATypeReplacesNothing() {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/60-A", "texts/150-A");
		run((context) -> {
			save(context, new TextRec(null, "new"), "texts", 20);
			ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class);
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			Flux.concat(generator.nextDocumentIds(TextRec.class, 60).flatMapIterable((block) -> block),
					generator.nextDocumentId(TextRec.class).repeat(99))
				.concatMap((id) -> template.save(new TextRec(id, "new")))
				.blockLast();
		});
		this.others.requireKept(180);
	}

	private void run(ThrowingConsumer<ApplicationContext> test) {
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties())
			.withPropertyValues("hilo.timeout=1m")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				test.accept(context);
			});
	}

	private static void save(ApplicationContext context, Object entity, String collection, int count) {
		ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
		Flux.range(0, count).flatMap((i) -> template.save(entity, collection), 8).blockLast();
	}

}

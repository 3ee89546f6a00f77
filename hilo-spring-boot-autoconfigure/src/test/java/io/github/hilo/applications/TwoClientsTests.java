package io.github.hilo.applications;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Applications with two clients of one database, of which one is closed.
 */
class TwoClientsTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final MongoClient second = MongoClients.create(MongoTestServer.uri());

	@ParameterizedTest
	@ValueSource(longs = { 1, 32 })
	void closedClientOfASecondTemplateStopsNobodyElse(long rangeSize) {
		Set<Long> ids = new HashSet<>();
		this.database.contextRunner()
			.withPropertyValues("hilo.range.initial-size=" + rangeSize, "hilo.range.max-size=" + rangeSize)
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				MongoTemplate template = context.getBean(MongoTemplate.class);
				MongoTemplate reports = reports(context);
				HiLoSequence kept = generator.sequence(Crate.class);
				HiLoSequence named = generator.sequence("crates");
				ids.add(idOf(reports.save(new Crate(null, "report"))));
				this.second.close();
				for (int i = 0; i < 100; i++) {
					ids.add(generator.nextId(Crate.class));
					ids.add(kept.nextId());
					ids.add(named.nextId());
					ids.add(generator.nextId("crates"));
					ids.add(idOf(template.save(new Crate(null, "new"))));
					assertThatExceptionOfType(RuntimeException.class)
						.isThrownBy(() -> reports.save(new Crate(null, "report")))
						.withStackTraceContaining("state should be: open");
				}
				assertThat(generator.ensureAtLeast("crates", 1_000)).isGreaterThanOrEqualTo(1_000);
				assertThat(generator.nextId("crates")).isGreaterThan(1_000);
				assertThat(context.getBean(HiLoEngine.class).snapshot().values()).flatExtracting(Map::values)
					.extracting(SequenceSnapshot::available)
					.containsExactly(true);
			});
		assertThat(ids).hasSize(501);
	}

	/**
	 * What is left goes back through the client that is open.
	 */
	@Test
	void nothingIsLostAtTheStop() {
		this.database.contextRunner().run((context) -> {
			MongoTemplate reports = reports(context);
			reports.save(new Crate(null, "report"));
			context.getBean(MongoTemplate.class).save(new Crate(null, "new"));
			this.second.close();
		});
		assertThat(this.database.counter("crates")).containsEntry("Max", 2L);
	}

	@Test
	void closedReactiveClientStopsNobodyElse() {
		ReactiveApplications.withReactiveDriver(this.database.connectionProperties())
			.withPropertyValues("hilo.range.initial-size=1", "hilo.range.max-size=1")
			.run((context) -> {
				ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
				var client = com.mongodb.reactivestreams.client.MongoClients.create(MongoTestServer.uri());
				ReactiveMongoTemplate reports = new ReactiveMongoTemplate(client, this.database.name());
				context.getBeanFactory().autowireBean(reports);
				ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class);
				reports.save(new Crate(null, "report")).block();
				client.close();
				for (int i = 0; i < 20; i++) {
					assertThat(generator.nextId(Crate.class).block()).isNotNull();
					assertThat(template.save(new Crate(null, "new")).block()).isNotNull();
					assertThatExceptionOfType(RuntimeException.class)
						.isThrownBy(() -> reports.save(new Crate(null, "report")).block());
				}
			});
	}

	private MongoTemplate reports(ConfigurableApplicationContext context) {
		MongoTemplate reports = new MongoTemplate(this.second, this.database.name());
		context.getBeanFactory().autowireBean(reports);
		return reports;
	}

	private static long idOf(Crate crate) {
		return (crate.id() != null) ? crate.id() : 0;
	}

	@Document("crates")
	record Crate(@Id @Nullable Long id, String name) {
	}

}

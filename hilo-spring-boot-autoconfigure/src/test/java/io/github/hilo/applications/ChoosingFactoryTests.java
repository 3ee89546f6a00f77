package io.github.hilo.applications;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What calls and saves ask of a factory that chooses a database for each of them.
 */
class ChoosingFactoryTests {

	private final ApplicationDatabase north = new ApplicationDatabase();

	private final ApplicationDatabase south = new ApplicationDatabase();

	private final Choosing factory = new Choosing(this.north.name());

	private final ApplicationContextRunner application = this.north.contextRunner()
		.withBean(MongoDatabaseFactory.class, () -> this.factory);

	@Test
	void callAsksOnceAndASaveTwice() {
		this.application.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThat(generator.nextId(Crate.class)).isEqualTo(1);
			this.factory.asked.set(0);
			generator.nextId(Crate.class);
			assertThat(this.factory.asked).hasValue(1);
			generator.nextId("crates");
			assertThat(this.factory.asked).hasValue(2);
			generator.nextDocumentId("crates");
			assertThat(this.factory.asked).hasValue(3);
			// Spring Data asks, too.
			assertThat(
					askedBy(() -> template.save(new Crate(null))) - askedBy(() -> template.save(new Unassigned(null))))
				.isEqualTo(2);
		});
	}

	/**
	 * A handle keeps where its ids go, and its claims are those of each database. A call
	 * that fails claims nothing.
	 */
	@Test
	void fieldIsClaimedInEachDatabase() {
		this.application.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			List.of(1L, 2L, 3L).forEach((number) -> assertThat(generator.nextId(Crate.class)).isEqualTo(number));
			this.factory.current = this.south.name();
			this.south.setCounter("crates", "broken");
			assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> generator.nextId(Crate.class));
			this.south.collection("@hilo").drop();
			List.of(1L, 2L, 3L).forEach((number) -> assertThat(generator.nextId(Box.class)).isEqualTo(number));
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(HiLoMappingException.class).isThrownBy(() -> generator.nextId(Crate.class));
			}
			this.factory.current = this.north.name();
			assertThat(generator.nextId(Crate.class)).isEqualTo(4);
			assertThatExceptionOfType(HiLoMappingException.class).isThrownBy(() -> generator.nextId(Box.class));
		});
	}

	private int askedBy(Runnable save) {
		this.factory.asked.set(0);
		save.run();
		return this.factory.asked.get();
	}

	private static final class Choosing extends SimpleMongoClientDatabaseFactory {

		private final AtomicInteger asked = new AtomicInteger();

		private volatile String current;

		Choosing(String current) {
			super(MongoTestServer.client(), "any");
			this.current = current;
		}

		@Override
		public MongoDatabase getMongoDatabase() {
			this.asked.incrementAndGet();
			return getMongoDatabase(this.current);
		}

		@Override
		public MongoClient getMongoCluster() {
			return MongoTestServer.client();
		}

	}

	@Document("crates")
	record Crate(@Id @Nullable Long id) {
	}

	@Document("crates")
	@HiLo("boxes")
	record Box(@Id @Nullable Long id) {
	}

	@Document("unassigned")
	@HiLo(enabled = false)
	record Unassigned(@Id @Nullable String id) {
	}

}

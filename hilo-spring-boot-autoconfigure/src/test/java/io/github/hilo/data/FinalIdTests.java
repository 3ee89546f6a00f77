package io.github.hilo.data;

import java.time.Instant;
import java.util.Objects;

import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.config.EnableMongoAuditing;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A type whose id is final and set by its constructor, while other properties are set
 * later.
 */
class FinalIdTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void everythingElseThatTheEntityHoldsIsStored() {
		this.database.contextRunner().withUserConfiguration(Auditing.class).run((context) -> {
			Letter letter = new Letter(null, "Ada");
			letter.text = "Dear editor";
			Letter saved = context.getBean(MongoTemplate.class).insert(letter);
			assertThat(saved.id).isEqualTo("letters/1-A");
			assertThat(saved.text).isEqualTo("Dear editor");
			assertThat(saved.received).isNotNull();
			org.bson.Document stored = Objects.requireNonNull(this.database.collection("letters").find().first());
			assertThat(stored).containsEntry("_id", "letters/1-A")
				.containsEntry("sender", "Ada")
				.containsEntry("text", "Dear editor")
				.containsKey("received");
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMongoAuditing
	static class Auditing {

	}

	@Document("letters")
	static class Letter {

		@Id
		final @Nullable String id;

		final String sender;

		@Nullable String text;

		@CreatedDate
		@Nullable Instant received;

		Letter(@Nullable String id, String sender) {
			this.id = id;
			this.sender = sender;
		}

	}

}

package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Documents.Parcel;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A counter that is too high is lowered with the commands of {@code docs/operating.md},
 * and nothing is issued twice.
 */
class LoweredCounterTests {

	private static final String SECTION = "A counter that is too high";

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void commandsOfTheGuideTakeTheCounterBelowTheMistake() {
		this.database.setCounter("parcels", 40L);
		this.database.contextRunner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.insert(new Parcel(null));
			context.getBean(HiLoIdGenerator.class).ensureAtLeast("parcels", Integer.MAX_VALUE - 1L);
			template.insert(new Parcel(null));
			assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(() -> template.insert(new Parcel(null)));
		});
		assertThat(this.database.ids("parcels")).containsExactly(41, Integer.MAX_VALUE);
		lowerAndGoOn();
	}

	/**
	 * A document has the highest int for an id, and the counter is created above it.
	 */
	@Test
	void sentinelThatUsedTheIntsUpIsFoundAndCanStay() {
		this.database.collection("parcels").insertOne(new org.bson.Document("_id", 41));
		this.database.collection("parcels").insertOne(new org.bson.Document("_id", Integer.MAX_VALUE));
		this.database.contextRunner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(() -> template.save(new Parcel(null)))
				.withMessageContaining("created above a stored id that is too high, such as 2147483647");
		});
		String left = "No number left";
		assertThat(new MigrationGuide("troubleshooting.md").runShell(left, left, this.database)).isEqualTo(1);
		lowerAndGoOn();
	}

	private void lowerAndGoOn() {
		assertThat(new MigrationGuide("operating.md").runShell(SECTION, SECTION, this.database)).isEqualTo(2);
		this.database.contextRunner().run((context) -> {
			context.getBean(MongoTemplate.class).save(new Parcel(null));
			assertThat(this.database.ids("parcels")).containsExactly(41, 42, Integer.MAX_VALUE);
		});
	}

}

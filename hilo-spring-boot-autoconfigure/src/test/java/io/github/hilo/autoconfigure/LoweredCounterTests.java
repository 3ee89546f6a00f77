package io.github.hilo.autoconfigure;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A counter that was set too high by mistake is lowered with the commands of
 * {@code docs/operating.md}, and nothing is issued twice.
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
		this.database.collection("parcels").deleteOne(new org.bson.Document("_id", Integer.MAX_VALUE));
		assertThat(new MigrationGuide("operating.md").runShell(SECTION, SECTION, this.database)).isEqualTo(2);
		this.database.contextRunner().run((context) -> {
			context.getBean(MongoTemplate.class).insert(new Parcel(null));
			assertThat(this.database.ids("parcels")).containsExactly(41, 42);
		});
	}

	@Document("parcels")
	@HiLo("parcels")
	record Parcel(@Nullable Integer id) {
	}

}

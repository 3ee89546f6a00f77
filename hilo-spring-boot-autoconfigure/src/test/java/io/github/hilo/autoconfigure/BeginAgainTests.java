package io.github.hilo.autoconfigure;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counters are deleted with the commands of {@code docs/operating.md}.
 */
@ExtendWith(OutputCaptureExtension.class)
class BeginAgainTests {

	private static final String SECTION = "Begin again at 1";

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final MigrationGuide guide = new MigrationGuide("operating.md");

	@Test
	void idsAndNumbersBeginAgainAt1(CapturedOutput output) {
		for (int time = 1; time <= 2; time++) {
			this.database.contextRunner().run((context) -> {
				assertThat(save(context)).isEqualTo(new Customer(1L, 1L));
				assertThat(save(context)).isEqualTo(new Customer(2L, 2L));
			});
			assertThat(this.guide.runShell(SECTION, SECTION, this.database)).isEqualTo(2);
		}
		assertThat(output).doesNotContain("The counter of");
	}

	@Test
	void countersOfPastDaysAreDeletedWhileProcessesRun(CapturedOutput output) {
		this.database.contextRunner()
			.withPropertyValues("hilo.sequences[calls-2026-10-*].consecutive=true")
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				generator.nextId("calls-2026-09-30");
				generator.nextId("calls-2026-10-31");
				generator.nextId("calls-2026-11-01");
				assertThat(this.guide.runShell(SECTION, "Counters of past days", this.database)).isEqualTo(1);
				assertThat(generator.nextId("calls-2026-11-01")).isEqualTo(2);
			});
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/calls-2026-11-01");
		assertThat(output).doesNotContain("WARN");
	}

	private static Customer save(AssertableApplicationContext context) {
		return context.getBean(MongoTemplate.class).insert(new Customer(null, null));
	}

	@Document("customers")
	record Customer(@Nullable Long id, @HiLo @Nullable Long number) {
	}

}

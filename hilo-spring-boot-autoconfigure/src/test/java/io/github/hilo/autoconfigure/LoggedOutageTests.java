package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.WireFault;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application's log says of a database that refuses and recovers.
 */
@ExtendWith(OutputCaptureExtension.class)
class LoggedOutageTests {

	private static final String WARNING = "Reservations of sequence 'orders' of database 'shop' began to fail: ";

	private static final String RECOVERY = "Reservations of sequence 'orders' of database 'shop' succeed again after ";

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.hilo");

	private FakePrimary primary;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void startPrimary() throws IOException {
		this.primary = new FakePrimary();
		this.contextRunner = this.primary.contextRunner().withPropertyValues("hilo.check-stored-ids=false");
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void stopPrimary() throws IOException {
		this.primary.close();
		this.logger.setLevel(null);
	}

	@Test
	void outageOfAnyLengthIsOneWarningAndOneInformation(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			this.primary.failAlways("reserve", WireFault.UNAUTHORIZED);
			for (int i = 0; i < 3; i++) {
				Callers.start(8, () -> generator.nextId("orders")).failures();
			}
			this.primary.mend();
			generator.nextId("orders");
			Awaitility.await().untilAsserted(() -> assertThat(output).contains(RECOVERY));
			assertThat(output).containsOnlyOnce(WARNING + "No range for sequence 'orders' of database 'shop':"
					+ " Unauthorized: not authorized on shop to execute command\n");
			assertThat(output).containsOnlyOnce(RECOVERY);
			assertThat(linesOf(output)).filteredOn((line) -> line.contains(RECOVERY))
				.allMatch((line) -> line.contains(" INFO "));
			assertThat(linesOf(output)).filteredOn((line) -> line.contains(WARNING))
				.allMatch((line) -> line.contains(" WARN "));
		});
	}

	private static List<String> linesOf(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("i.g.") || line.contains("io.github.hilo"))
			.toList();
	}

}

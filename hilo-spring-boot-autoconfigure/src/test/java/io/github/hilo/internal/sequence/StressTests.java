package io.github.hilo.internal.sequence;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import io.github.hilo.fixture.Thorough;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jcstress.Main;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets threads meet tens of thousands of times for each of {@link RangeCursorStress} and
 * {@link RangeSequenceStress}. With
 * {@code mvn verify -Dtest=StressTests -Dhilo.stress.mode=quick} jcstress runs the same
 * in processes of its own, under every combination of compilers that it knows, which
 * takes far longer; {@code default}, {@code tough} and {@code stress} take longer still.
 * Its report goes to {@code target/jcstress}.
 */
class StressTests {

	@ParameterizedTest
	@ValueSource(classes = { RangeCursorStress.TakeAgainstSeal.class, RangeSequenceStress.AnswerAgainstGivingUp.class })
	void threadsSeeNothingElse(Class<?> test) throws ReflectiveOperationException {
		assertThat(StressRunner.forbidden(String.valueOf(test.getCanonicalName()))).isEmpty();
	}

	@ParameterizedTest
	@MethodSource
	@Thorough
	@Tag("races")
	void threadsSeeNothingElseInAnyRace(String test) throws ReflectiveOperationException {
		assertThat(StressRunner.forbidden(test)).isEmpty();
	}

	static Set<String> threadsSeeNothingElseInAnyRace() {
		return StressRunner.names();
	}

	@Test
	@EnabledIfSystemProperty(named = "hilo.stress.mode", matches = ".+")
	void threadsSeeNothingElseUnderAnyCompiler() throws Exception {
		Path directory = Files.createDirectories(Path.of("target", "jcstress"));
		Path log = directory.resolve("log.txt");
		Process harness = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Main.class.getName(), "-r", "report", "-m",
				System.getProperty("hilo.stress.mode"))
			.directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		assertThat(harness.waitFor()).as("exit code, see " + log).isZero();
		assertThat(log).content().contains(" passed, 0 failed").doesNotContain("FATAL");
	}

}

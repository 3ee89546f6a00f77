package io.github.hilo.data;

import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Documents.Parcel;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A sequence that has left what an int can hold.
 */
@ExtendWith(OutputCaptureExtension.class)
class IntLimitTests {

	private static final String WARNING = "Ints of sequence 'parcels' of database ";

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void intIsRefusedCountedAndLoggedOnceAndOthersGoOn(boolean reactive, CapturedOutput output) {
		this.database.setCounter("parcels", Integer.MAX_VALUE - 1L);
		ApplicationContextRunner runner = reactive ? this.applications.reactive(false) : this.database.contextRunner();
		TestApplications.run(
				runner.withBean(HiLoMetrics.class, () -> new HiLoMetrics(this.meters, ObservationRegistry.create())),
				(app) -> {
					HiLoEngine engine = app.engine();
					ThrowingCallable insert = () -> {
						Object unused = reactive ? app.reactiveTemplate().insert(new Parcel(null)).block()
								: app.template().insert(new Parcel(null));
					};
					insert.call();
					assertThat(shown(engine).available()).isTrue();
					assertThat(output).doesNotContain(WARNING);
					IntStream.rangeClosed(1, 3)
						.forEach((attempt) -> assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(insert)
							.withMessageContainingAll("of sequence 'parcels'", "does not fit the int id", "Parcel",
									"Make it a long"));
					assertThat(output).containsOnlyOnce(WARNING);
					assertThat(this.meters.get(HiLoMetrics.RESERVATION_FAILURES)
						.tag("kind", "exhausted")
						.counter()
						.count()).isEqualTo(3);
					assertThat(this.database.ids("parcels")).containsExactly(Integer.MAX_VALUE);
					assertThat(engine.generator().nextId("parcels")).isGreaterThan(Integer.MAX_VALUE);
					assertThat(shown(engine).available()).as("long ids go on").isTrue();
					assertThat(shown(engine).failure()).isNull();
				});
	}

	private SequenceSnapshot shown(HiLoEngine engine) {
		return Objects.requireNonNull(engine.snapshot().getOrDefault(this.database.name(), Map.of()).get("parcels"));
	}

}

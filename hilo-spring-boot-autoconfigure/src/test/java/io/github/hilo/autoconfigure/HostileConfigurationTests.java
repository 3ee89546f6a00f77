package io.github.hilo.autoconfigure;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.fixture.AnyValue;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Exhaustive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Whatever is configured: it is taken, or refused by name, and no secret gets out.
 */
@Exhaustive
@ExtendWith(OutputCaptureExtension.class)
class HostileConfigurationTests {

	private static final List<String> VALUES = List.of("", " ", "0", "-1", "1", "2", "32", "1024", "2147483648",
			"9223372036854775807", "9223372036854775808", "1e3", "0x10", "NaN", "1ns", "0s", "-5s", "366d", "P1D", "10",
			"true", "yes", "none", "null", "${x}", "#{1}");

	@ParameterizedTest
	@ValueSource(
			strings = { "enabled", "counter.collection", "counter.id-prefix", "node-tag", "identity-parts-separator",
					"server-prefix-document", "naming", "assign-ids", "initial-value", "timeout", "range.initial-size",
					"range.max-size", "range.max-growth", "range.prefetch", "warm-up", "sequences.orders.initial-value",
					"sequences.orders.range.initial-size", "sequences.orders.range.max-size" })
	void anyValueIsTakenOrRefusedByName(String property) {
		Stream.concat(VALUES.stream(), LongStream.rangeClosed(1, 100).mapToObj((seed) -> new AnyValue(seed).text()))
			.forEach((value) -> requireTakenOrRefused("hilo." + property, value));
	}

	private static void requireTakenOrRefused(String property, String value) {
		Binder binder = new Binder(new MapConfigurationPropertySource(Map.of(property, value)));
		try {
			HiLoProperties properties = binder.bindOrCreate(HiLoProperties.PREFIX, HiLoProperties.class);
			properties.validate();
			assertThat(properties.toSettings().sequences().apply("orders").initialSize()).isPositive();
		}
		catch (BindException ex) {
			assertThat(ex).as("'%s'", value).hasMessageContaining(property.replaceAll("\\.[^.]*$", ""));
		}
		catch (InvalidConfigurationPropertyValueException ex) {
			assertThat(ex.getName()).as("'%s'", value).startsWith("hilo.");
			assertThat(ex.getReason()).isNotBlank();
		}
	}

	@Test
	void passwordOfTheConnectionStringGetsNowhere(CapturedOutput output) {
		new ApplicationDatabase().contextRunner()
			.withPropertyValues("spring.mongodb.uri=mongodb://keeper:s3cr3t-p4ss@localhost:1/shop",
					"hilo.timeout=300ms", "hilo.warm-up=orders", "logging.level.io.github.hilo=trace")
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				HiLoUnavailableException failure = catchThrowableOfType(HiLoUnavailableException.class,
						() -> generator.nextId("orders"));
				StringWriter trace = new StringWriter();
				failure.printStackTrace(new PrintWriter(trace));
				assertThat(trace.toString()).contains("'orders'").doesNotContain("s3cr3t", "keeper");
				assertThat(context.getBean(HiLoEngine.class).snapshot().toString()).contains("orders")
					.doesNotContain("s3cr3t", "keeper");
			});
		assertThat(output.getAll()).contains("orders").doesNotContain("s3cr3t");
	}

}

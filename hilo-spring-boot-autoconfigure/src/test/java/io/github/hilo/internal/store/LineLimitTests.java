package io.github.hilo.internal.store;

import java.time.Duration;

import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LineLimit}.
 */
class LineLimitTests {

	private final ManualTime time = new ManualTime();

	private final LineLimit lines = new LineLimit(this.time);

	@Test
	void nextLineTellsOfThoseThatWereLeftOut() {
		assertThat(this.lines.due("orders", 3)).isEqualTo(3);
		this.time.advance(Duration.ofSeconds(59));
		assertThat(this.lines.due("orders", 4)).isZero();
		assertThat(this.lines.due("orders", 5)).isZero();
		assertThat(this.lines.due("lines", 1)).as("another key").isEqualTo(1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.lines.due("orders", 6)).isEqualTo(15);
		assertThat(this.lines.due("orders", 7)).isZero();
	}

}

package io.github.hilo.soak;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SoakLoad}: a soak is worth nothing if its load misses a duplicate.
 */
class SoakLoadTests {

	private static final int RATE = 10_000;

	@Test
	void numberThatIsIssuedTwiceBreaksTheLoadEvenIfTheCallsFail() throws InterruptedException {
		SoakLoad load = new SoakLoad(List.of((issued) -> {
			issued.accept(7);
			throw new DataAccessResourceFailureException("gone");
		}), RATE);
		boolean broken = load.isBrokenWithin(Duration.ofMinutes(1).toMillis());
		load.stop();
		assertThat(broken).isTrue();
		assertThat(load.broken()).isNotEmpty().containsOnly("Number 7 was issued twice");
	}

	@Test
	void numbersOfDifferentSourcesMayBeTheSame() throws InterruptedException {
		AtomicLong orders = new AtomicLong();
		AtomicLong invoices = new AtomicLong();
		SoakLoad load = new SoakLoad(List.of((issued) -> issued.accept(orders.incrementAndGet()),
				(issued) -> issued.accept(invoices.incrementAndGet())), RATE);
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> orders.get() > 9 && invoices.get() > 9);
		load.stop();
		assertThat(load.broken()).isEmpty();
		assertThat(load.ids()).isEqualTo(orders.get() + invoices.get());
	}

}

package io.github.hilo.internal.sequence;

import java.util.concurrent.CompletableFuture;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.Place;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Windows}: how far a find looks.
 */
class WindowsTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoEngine engine = EngineSettings.DEFAULTS.withConsecutiveSequences()
		.engine(this.store, new ManualTime());

	/**
	 * In a place of texts, only those with equally many digits sort as their numbers do,
	 * and a find reads those with more digits, too.
	 */
	@ParameterizedTest
	@CsvSource({ "false, 1, 1024", "false, 100, 1123", "true, 1, 1", "true, 98, 98", "true, 100, 109", "true, 995, 999",
			"true, 1000, 1099", "true, 10000, 10999", "true, 1000000, 1001023" })
	void findLooksAtSoManyNumbers(boolean text, long first, long last) {
		this.store.max(first - 1);
		CompletableFuture<?> unused = this.engine.sequence(this.store, "orders")
			.placed(new Place("orders", Place.ID, text, true))
			.request(1, text, this.engine.deadline(), null, new Askers(Runnable::run));
		assertThat(this.store.asked()).singleElement().satisfies((numbers) -> {
			assertThat(numbers.min()).isEqualTo(first);
			assertThat(numbers.max()).isEqualTo(last);
		});
	}

}

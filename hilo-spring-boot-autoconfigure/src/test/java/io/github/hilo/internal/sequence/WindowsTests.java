package io.github.hilo.internal.sequence;

import java.util.concurrent.CompletableFuture;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.IdForm;
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
	@CsvSource({ "NUMBER, 1, 1024", "NUMBER, 100, 1123", "TEXT, 1, 1", "TEXT, 98, 98", "TEXT, 100, 109",
			"TEXT, 995, 999", "TEXT, 1000, 1099", "TEXT, 10000, 10999", "TEXT, 1000000, 1001023" })
	void findLooksAtSoManyNumbers(IdForm form, long first, long last) {
		this.store.max(first - 1);
		CompletableFuture<?> unused = this.engine.sequence(this.store, "orders")
			.placed(Place.ofType("orders", Place.ID, form))
			.request(1, form, this.engine.deadline(), null, new Askers(Runnable::run));
		assertThat(this.store.asked()).singleElement().satisfies((numbers) -> {
			assertThat(numbers.min()).isEqualTo(first);
			assertThat(numbers.max()).isEqualTo(last);
		});
	}

}

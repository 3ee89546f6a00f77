package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an outage begins and ends, and which failure is shown.
 */
class OutagesTests {

	private static final Place SLOW = Place.ofType("slow", Place.ID, IdForm.NUMBER);

	private final ManualTime time = new ManualTime();

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final RangeSequence orders = EngineSettings.DEFAULTS.engine(this.store, this.time)
		.sequence(this.store, "orders");

	private final Outages outages = new Outages();

	private final List<SequenceEvent> told = new ArrayList<>();

	@Test
	void outageBeginsWithTheFirstFailureAndEndsWithTheFirstSuccess() {
		failed(null, "away");
		this.time.advance(Duration.ofSeconds(40));
		failed(null, "still away");
		this.time.advance(Duration.ofSeconds(21));
		succeeded(null);
		succeeded(null);
		failed(null, "away again");
		assertThat(this.told).containsExactly(new SequenceEvent.OutageBegan(this.orders, null, "away"),
				new SequenceEvent.OutageEnded(this.orders, null, 2, Duration.ofSeconds(61)),
				new SequenceEvent.OutageBegan(this.orders, null, "away again"));
	}

	@Test
	void eachPlaceHasAnOutageOfItsOwn() {
		failed(SLOW, "no answer");
		succeeded(null);
		failed(SLOW, "no answer");
		succeeded(SLOW);
		assertThat(this.told).containsExactly(new SequenceEvent.OutageBegan(this.orders, SLOW, "no answer"),
				new SequenceEvent.OutageEnded(this.orders, SLOW, 2, Duration.ZERO));
	}

	@Test
	void latestFailureIsShownUntilItsSuccess() {
		failed(null, "away");
		failed(SLOW, "no answer");
		failed(null, "still away");
		assertShown("still away");
		succeeded(null);
		assertShown("no answer");
		this.outages.forgive();
		assertThat(this.outages.latest()).isNull();
		failed(SLOW, "still no answer");
		assertShown("still no answer");
		succeeded(SLOW);
		assertThat(this.told).as("one outage, though it was forgiven")
			.endsWith(new SequenceEvent.OutageEnded(this.orders, SLOW, 2, Duration.ZERO));
	}

	private void assertShown(String message) {
		assertThat(this.outages.latest()).isNotNull()
			.extracting(Outages.Outage::latest)
			.isNotNull()
			.extracting(SequenceSnapshot.Failure::message)
			.isEqualTo(message);
	}

	private void failed(@Nullable Place place, String message) {
		Step step = step();
		this.outages.failed(place, new IllegalStateException(message), step);
		this.told.addAll(step.events());
	}

	private void succeeded(@Nullable Place place) {
		Step step = step();
		this.outages.succeeded(place, step);
		this.told.addAll(step.events());
	}

	private Step step() {
		return new Step(this.orders, RangeSequence.Mode.RUNNING, this.store, this.time);
	}

}

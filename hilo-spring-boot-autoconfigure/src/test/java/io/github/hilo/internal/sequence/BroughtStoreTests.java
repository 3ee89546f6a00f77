package io.github.hilo.internal.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.ClientStore;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers of one sequence come through two clients of its database. What fails for one
 * client fails for the callers who brought it, and for nobody else.
 */
class BroughtStoreTests {

	private static final Place ORDERS = Place.ofType("orders", Place.ID, IdForm.NUMBER);

	private final FakeRangeStore counters = new FakeRangeStore("shop");

	private final List<SequenceEvent> events = new ArrayList<>();

	private final HiLoEngine engine = EngineSettings.DEFAULTS.withPrefetch(false)
		.withSequences(1, 1, 1)
		.engine(this.counters, new ManualTime(), this.events::add);

	private final ClientStore open = new ClientStore(this.counters);

	private final ClientStore closed = new ClientStore(this.counters);

	private final RangeSequence sequence = this.engine.sequence(this.open, "orders");

	@Test
	void eachCallGoesThroughTheClientThatItBrings() {
		PlacedSequence kept = through(this.open);
		this.closed.close();
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(through(this.closed)::nextId);
			kept.nextId();
			through(this.open).nextId();
		}
		assertThat(this.closed.sent()).allMatch("reserve"::equals).hasSize(20);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failedReservationRefusesThoseWhoBroughtItsClient(boolean closedFirst) {
		this.closed.close();
		this.counters.hold();
		List<Waiter> ofOpen = new ArrayList<>();
		List<Waiter> ofClosed = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			boolean closes = (i % 2 == 0) == closedFirst;
			(closes ? ofClosed : ofOpen).add(ask(closes ? this.closed : this.open));
		}
		this.counters.answerAll();
		assertThat(ofClosed).allMatch((waiter) -> waiter.answer().isCompletedExceptionally());
		assertThat(ofOpen).allMatch((waiter) -> waiter.answer().isDone())
			.extracting(Waiter::first)
			.doesNotHaveDuplicates();
	}

	@Test
	void reservationThatFailsWhileOthersWaitIsNoFailureOfTheSequence() {
		this.counters.hold();
		Waiter first = ask(this.closed);
		Waiter second = ask(this.open);
		this.counters.fail(new HiLoUnavailableException("closed"));
		assertThat(first.answer()).isCompletedExceptionally();
		assertThat(second.answer()).isNotDone();
		this.counters.answerAll();
		assertThat(second.answer()).isCompleted();
		assertThat(this.sequence.snapshot().failure()).isNull();
		assertThat(this.events)
			.noneMatch((event) -> event instanceof SequenceEvent.ReservationEnded ended && ended.failure() != null);
		assertThat(this.open.sent()).as("for the one who waited").containsExactly("reserve");
	}

	/**
	 * As when the database is down, and there is always somebody else who waits.
	 */
	@Test
	void secondFailureInARowIsKeptWhoeverWaits() {
		this.counters.hold();
		ask(this.closed);
		ask(this.open);
		this.counters.fail(new HiLoUnavailableException("closed"));
		Waiter third = ask(this.closed);
		this.counters.fail(new HiLoUnavailableException("away"));
		assertThat(third.answer()).isNotDone();
		assertThat(this.sequence.snapshot().failure()).isNotNull();
		this.counters.answerAll();
		assertThat(third.answer()).isCompleted();
	}

	/**
	 * Otherwise reservations that fail would follow each other without end, because the
	 * one who waits for a find is not refused.
	 */
	@Test
	void whoOnlyWaitsForAFindCausesNoReservation() {
		HiLoEngine larger = EngineSettings.DEFAULTS.withPrefetch(false)
			.withSequences(1, 8, 64)
			.engine(this.counters, new ManualTime());
		RangeSequence orders = larger.sequence(this.open, "orders");
		this.counters.hold();
		Waiter waitsForFind = orders.ask(new Waiter(1, ORDERS, null).by(this.closed));
		this.counters.answer();
		assertThat(this.closed.sent()).containsExactly("reserve", "find");
		this.closed.close();
		Waiter block = orders.ask(new Waiter(20, null, null).by(this.open));
		assertThat(this.open.sent()).containsExactly("reserve");
		assertThat(waitsForFind.answer()).isNotDone();
		this.counters.answerAll();
		assertThat(block.answer()).isCompleted();
	}

	@Test
	void reservationThatFailsForAllIsKept() {
		this.counters.hold();
		Waiter first = ask(this.closed);
		Waiter second = ask(this.open);
		this.counters.fail(new HiLoUnavailableException("closed"));
		this.counters.fail(new HiLoUnavailableException("away"));
		assertThat(first.answer()).isCompletedExceptionally();
		assertThat(second.answer()).isCompletedExceptionally();
		assertThat(this.sequence.snapshot().failure()).isNotNull();
		assertThat(this.sequence.snapshot().available()).isFalse();
	}

	@Test
	void failedFindRefusesThoseWhoBroughtItsClient() {
		this.counters.hold();
		Waiter first = ask(this.closed, ORDERS);
		Waiter second = ask(this.open, ORDERS);
		this.counters.answer();
		this.counters.fail(new HiLoUnavailableException("closed"));
		assertThat(first.answer()).isCompletedExceptionally();
		assertThat(this.sequence.snapshot().failure()).isNull();
		this.counters.answerAll();
		assertThat(second.answer()).isCompleted();
		assertThat(this.closed.sent()).contains("find");
		assertThat(this.open.sent()).endsWith("find");
	}

	/**
	 * What no caller causes goes through the client that was answered last.
	 */
	@Test
	void whatIsLeftGoesBackThroughTheClientThatWasAnsweredLast() {
		through(this.open).nextIds(5);
		this.closed.close();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> through(this.closed).nextIds(8));
		this.sequence.ensureRange(this.open).forEach(CompletableFuture::join);
		assertThat(this.counters.max()).as("a range is held").isGreaterThan(5);
		assertThat(this.sequence.release()).isCompletedWithValue(null);
		assertThat(this.counters.max()).isEqualTo(5);
		assertThat(this.closed.sent()).doesNotContain("return");
	}

	@Test
	void counterIsRaisedThroughTheClientOfTheCaller() {
		this.closed.close();
		assertThat(through(this.open).ensureAtLeast(50)).isEqualTo(50);
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> through(this.closed).ensureAtLeast(60));
		assertThat(LongStream.range(0, 3).map((i) -> through(this.open).nextId())).containsExactly(51L, 52L, 53L);
	}

	private PlacedSequence through(ClientStore client) {
		return this.engine.sequence(client, "orders").placed(null).through(client);
	}

	private Waiter ask(ClientStore client) {
		return this.sequence.ask(new Waiter(1, null, null).by(client));
	}

	private Waiter ask(ClientStore client, Place place) {
		return this.sequence.ask(new Waiter(1, place, null).by(client));
	}

}

package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a range knows of the places where it is free, on a counter in memory.
 */
class FreePlacesTests {

	private static final Place ARCHIVE = new Place("archive", Place.ID, false, true);

	private static final Place TEXTS = new Place("archive", Place.ID, true, true);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final List<SequenceEvent> events = new CopyOnWriteArrayList<>();

	private final RangeSequence sequence = sequence(EngineSettings.DEFAULTS.withSequences(1, 32, 64).settings());

	private final PlacedSequence archive = this.sequence.placed(ARCHIVE);

	@Test
	void placeThatBecomesKnownLateIsAskedFromTheFirstNumberThatGoesThere() {
		assertThat(issue(3)).isEqualTo(3);
		assertThat(List.of(this.archive.nextId(), this.archive.nextId())).containsExactly(4L, 5L);
		assertThat(this.sequence.placed(null).nextId()).isEqualTo(6);
		assertThat(this.sequence.placed(ARCHIVE).nextId()).isEqualTo(7);
		assertThat(asked()).containsExactly("4-32");
	}

	@Test
	void idsOfAnotherFormThanThePlacesAreNotAskedFor() {
		assertThat(issue(1)).isEqualTo(1);
		assertThat(this.archive.nextDocumentId()).isEqualTo("orders/2-A");
		assertThat(this.archive.nextDocumentIds(2)).containsExactly("orders/3-A", "orders/4-A");
		PlacedSequence texts = this.sequence.placed(TEXTS);
		assertThat(texts.nextId()).isEqualTo(5);
		assertThat(texts.nextIds(2)).containsExactly(6, 7);
		assertThat(asked()).isEmpty();
		assertThat(texts.nextDocumentId()).isEqualTo("orders/8-A");
		assertThat(asked()).containsExactly("8-32");
	}

	@Test
	void reservationIsCheckedWhereItsCallerGoes() {
		assertThat(this.archive.nextId()).isEqualTo(1);
		assertThat(request(0).places()).containsExactly(ARCHIVE);
		assertThat(this.archive.nextIds(4)).containsExactly(2, 3, 4, 5);
		assertThat(asked()).isEmpty();
	}

	@Test
	void nextReservationIsCheckedWhereNumbersOfTheRangeWereUsed() {
		issue(1);
		this.archive.nextId();
		issue(30);
		assertThat(issue(1)).isEqualTo(33);
		assertThat(request(1).places()).containsExactly(ARCHIVE);
		assertThat(this.archive.nextId()).isEqualTo(34);
		assertThat(asked()).as("33 on was free with the reservation").containsExactly("2-32");
		issue(64);
		assertThat(request(2).places()).containsExactly(ARCHIVE);
		issue(64);
		assertThat(request(3).places()).as("not used since").isEmpty();
	}

	@Test
	void numbersAboveWhatIsStoredInTheRangeAreIssuedNext() {
		issue(3);
		this.store.stored(9, 9);
		assertThat(this.archive.nextId()).isEqualTo(10);
		assertThat(this.sequence.placed(null).nextId()).isEqualTo(11);
		assertThat(asked()).containsExactly("4-32");
		assertThat(this.sequence.snapshot().issued()).as("those that were skipped are not").isEqualTo(6);
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void lastNumberOfARangeMayBeStored() {
		issue(30);
		this.store.stored(32, 32);
		assertThat(this.archive.nextId()).isEqualTo(33);
	}

	@Test
	void placeThatHoldsHigherNumbersRaisesTheCounterAboveThem() {
		issue(3);
		this.store.stored(9, 700);
		assertThat(this.archive.nextId()).isEqualTo(701);
	}

	@Test
	void blockIsConfirmedByItsRuns() {
		issue(30);
		assertThat(this.archive.nextIds(100)).startsWith(31, 32, 33).hasSize(100);
		assertThat(asked()).as("the second range was checked for the block").containsExactly("31-32");
	}

	@ParameterizedTest
	@ValueSource(longs = { 8, 12 })
	void blockWithAStoredNumberIsTakenAgainBehindIt(long stored) {
		issue(7);
		this.store.stored(stored, stored);
		assertThat(this.archive.nextIds(5)).startsWith(13).endsWith(17);
	}

	@Test
	void callersThatComeAtTheSameTimeShareAFind() {
		issue(3);
		this.store.hold();
		Callers<Long> callers = Callers.start(3, this.archive::nextId).awaitWaiting();
		this.store.answerAll();
		assertThat(callers.answers()).containsExactlyInAnyOrder(4L, 5L, 6L);
		assertThat(asked()).hasSizeBetween(1, 3).contains("4-32");
	}

	@Test
	void findThatNeverEndsIsJoinedNoLongerThanItMayTake() {
		issue(3);
		this.store.hold();
		CompletableFuture<?> lost = confirm(4, ARCHIVE);
		CompletableFuture<?> joined = confirm(5, ARCHIVE);
		this.time.advance(Duration.ofSeconds(9));
		assertThat(confirm(6, ARCHIVE)).isNotDone();
		assertThat(asked()).containsExactly("4-32", "6-32");
		assertThat(lost).isNotDone();
		assertThat(joined).isNotDone();
	}

	@Test
	void numbersThatWentBackAndAreGrantedAgainAreAnotherRange() {
		issue(3);
		this.archive.nextId();
		assertThat(this.sequence.release()).isCompleted();
		this.store.stored(9, 9);
		assertThat(this.sequence.placed(null).nextId()).as("checked for nobody").isEqualTo(5);
		assertThat(this.archive.nextId()).isEqualTo(10);
		assertThat(asked()).containsExactly("4-32", "6-36");
	}

	@Test
	void answerForARangeThatWentBackSaysNothingOfTheNextOne() {
		issue(3);
		this.store.hold();
		Callers<Long> early = Callers.start(1, this.archive::nextId).awaitWaiting();
		CompletableFuture<?> release = this.sequence.release();
		this.store.answer();
		assertThat(early.answers()).containsExactly(4L);
		this.store.answerAll();
		assertThat(release).isDone();
		this.store.stored(9, 9);
		assertThat(issue(1)).isEqualTo(5);
		assertThat(this.archive.nextId()).isEqualTo(10);
	}

	/**
	 * Others store what went back, and rightly.
	 */
	@Test
	void rangeIsAskedForToTheLastNumberIssuedOnceItWentBack() {
		issue(3);
		HeldRange range = this.sequence.current().held();
		assertThat(this.sequence.release()).isCompleted();
		assertThat(range.from(2)).isEqualTo(new ReservedRange(2, 3, "", List.of()));
	}

	@ParameterizedTest
	@ValueSource(longs = { 4, 20, 32 })
	void numberThatTheApplicationSetsIsAskedForWhenItIsReached(long number) {
		this.archive.nextId();
		this.sequence.set(ARCHIVE, number);
		this.store.stored(number, number);
		assertThat(LongStream.range(0, 40).map((i) -> this.archive.nextId())).doesNotContain(number)
			.startsWith(2L, 3L)
			.hasSize(40);
		assertThat(asked()).containsExactly(number + "-32");
		assertThat(this.store.requests()).as("no number is lost but that one").hasSize(2);
	}

	@Test
	void numberThatWasSetAndIsNotStoredIsIssued() {
		this.archive.nextId();
		this.sequence.set(ARCHIVE, 3L);
		assertThat(LongStream.range(0, 4).map((i) -> this.archive.nextId())).containsExactly(2L, 3L, 4L, 5L);
		assertThat(asked()).containsExactly("3-32");
	}

	@Test
	void numberThatIsSetInOnePlaceIsFreeInAnother() {
		this.archive.nextId();
		this.sequence.set(new Place("orders", Place.ID, false, true), 2L);
		assertThat(this.archive.nextId()).isEqualTo(2);
		assertThat(asked()).isEmpty();
	}

	@Test
	void blockWithANumberThatWasSetIsAskedFor() {
		this.archive.nextId();
		this.sequence.set(ARCHIVE, 5L);
		this.store.stored(5, 5);
		assertThat(this.archive.nextIds(4)).containsExactly(6, 7, 8, 9);
		assertThat(asked()).containsExactly("2-32");
	}

	@Test
	void textThatTheApplicationSetsIsAskedForWhateverItsPrefix() {
		PlacedSequence texts = this.sequence.placed(TEXTS);
		texts.nextDocumentId();
		List.of("orders/3-B", "orders/03-A", "lines/3-A", "orders/-A", "orders", "3", "").forEach(this::set);
		texts.nextDocumentId();
		texts.nextDocumentId();
		assertThat(asked()).as("of other forms").isEmpty();
		set("orders/North/4-A");
		texts.nextDocumentId();
		assertThat(asked()).containsExactly("4-32");
	}

	private void set(String id) {
		this.sequence.set(TEXTS, id);
	}

	@Test
	void numbersThatWereIssuedAreSetWithoutAFind() {
		long[] own = this.archive.nextIds(5);
		LongStream.of(5, 1, 3, 2, 4).forEach((number) -> this.sequence.set(ARCHIVE, number));
		assertThat(own).hasSize(5);
		assertThat(LongStream.range(0, 40).map((i) -> this.archive.nextId())).containsExactly(range(6, 45));
		assertThat(asked()).isEmpty();
	}

	@Test
	void numberOfTheRangeInAdvanceIsAskedForWhenItIsReached() {
		LongStream.range(0, 32 + 40).forEach((i) -> this.archive.nextId());
		assertThat(this.store.requests()).as("33 to 96, and 97 to 160 ahead").hasSize(3);
		this.sequence.set(ARCHIVE, 100L);
		this.store.stored(100, 100);
		assertThat(LongStream.range(0, 50).map((i) -> this.archive.nextId())).doesNotContain(100L).contains(99L, 101L);
		assertThat(asked()).containsExactly("100-160");
	}

	@Test
	void numberOfAReservationThatIsInFlightIsAskedForWhenItIsReached() {
		this.store.hold();
		Callers<Long> caller = Callers.start(1, this.archive::nextId).awaitWaiting();
		this.sequence.set(ARCHIVE, 3L);
		this.sequence.set(ARCHIVE, 1L);
		this.store.answer();
		this.store.stored(1, 1);
		this.store.answerAll();
		assertThat(caller.answers()).containsExactly(2L);
		this.store.stored(3, 3);
		assertThat(this.archive.nextId()).isEqualTo(4);
		assertThat(asked()).containsExactly("1-32", "3-32");
	}

	/**
	 * A block that waits, and fails, takes nothing that the application may set
	 * meanwhile.
	 */
	@Test
	void numberThatIsSetWhileABlockWaitsIsAskedForWhenItIsReached() {
		this.archive.nextId();
		this.store.hold();
		Callers<long[]> block = Callers.start(1, () -> this.archive.nextIds(40)).awaitWaiting();
		this.sequence.set(ARCHIVE, 3L);
		this.store.fail(new IllegalStateException("away"));
		block.failures();
		this.store.stored(3, 3);
		this.store.answerAll();
		assertThat(List.of(this.archive.nextId(), this.archive.nextId())).containsExactly(2L, 4L);
		assertThat(asked()).containsExactly("3-32");
	}

	/**
	 * As it is until a step that ends a segment has published the next one.
	 */
	@Test
	void numberThatIsSetWhereTheSegmentIsSealedIsNotFree() {
		HeldRange range = new HeldRange(new ReservedRange(1, 32, "", List.of()), Instant.EPOCH,
				DocumentIdFormat.of("orders", "/", "A", 1), new FreePlaces(true));
		range.places().foundFree(List.of(ARCHIVE), 1);
		RangeCursor cursor = RangeCursor.first(range, 32);
		cursor.take();
		cursor.seal();
		new KnownRanges(cursor, List.of(), List.of(), null, 1).set(ARCHIVE, 20);
		assertThat(range.places().in(ARCHIVE).isFree(20)).isFalse();
		assertThat(range.places().in(ARCHIVE).isFree(19)).isTrue();
	}

	@Test
	void numbersThatCannotBeConfirmedAreToldAsLost() {
		issue(3);
		this.store.hold();
		Callers<long[]> block = Callers.start(1, () -> this.archive.nextIds(2)).awaitWaiting();
		this.store.fail(new IllegalStateException("away"));
		block.failures();
		assertThat(lost()).containsExactly("4 to 5 because it could not be confirmed that they are free");
	}

	@Test
	void numbersThatComeTooLateAreToldAsLost() {
		issue(3);
		this.store.hold();
		AsyncSequence async = new AsyncSequence(this.sequence.placed(ARCHIVE), Runnable::run,
				new Deadline(Duration.ofSeconds(10), this.time), Runnable::run);
		async.nextId().cancel(true);
		this.store.answerAll();
		assertThat(lost()).containsExactly("4 to 4 because their caller has given up");
	}

	private List<String> lost() {
		return this.events.stream()
			.filter(SequenceEvent.Discarded.class::isInstance)
			.map(SequenceEvent.Discarded.class::cast)
			.map((lost) -> lost.first() + " to " + lost.last() + " because " + lost.why())
			.toList();
	}

	/**
	 * A save may need two numbers.
	 */
	@Test
	void timeThatWasToldIsNotToldAgainByTheNextNumberOfTheSave() {
		Deadline save = new Deadline(Duration.ofSeconds(10), this.time);
		this.time.advance(Duration.ofSeconds(1));
		save.waitForRange(() -> 0);
		this.time.advance(Duration.ofSeconds(3));
		this.sequence.placed(null).nextId(save);
		this.sequence.placed(null).nextId(save);
		this.time.advance(Duration.ofSeconds(2));
		save.waitFor(Deadline.Phase.CHECK);
		this.time.advance(Duration.ofSeconds(1));
		this.sequence.placed(null).nextId(save);
		assertThat(waits()).containsExactly("PT4S for RANGE", "PT3S for RANGE");
		assertThat(ReservationFailure.overdue(save)).contains("of which 5s went by for a range");
	}

	@ParameterizedTest
	@EnumSource
	void waitIsNamedAfterWhatTookLongest(Deadline.Phase phase) {
		Deadline call = new Deadline(Duration.ofSeconds(10), this.time);
		for (Deadline.Phase each : Deadline.Phase.values()) {
			call.waitFor(each);
			this.time.advance(Duration.ofSeconds((each == phase) ? 2 : 1));
		}
		issue(1);
		this.sequence.placed(null).nextId(call);
		assertThat(waits()).endsWith("PT4S for " + phase);
	}

	private List<String> waits() {
		return this.events.stream()
			.filter(SequenceEvent.Waited.class::isInstance)
			.map(SequenceEvent.Waited.class::cast)
			.map((wait) -> wait.time() + " for " + wait.longest())
			.toList();
	}

	@Test
	void nothingIsAskedForWhereIdsAreNotChecked() {
		HiLoSettings.SequenceSettings own = new HiLoSettings.SequenceSettings(1, 32, 64, false, false);
		RangeSequence unchecked = sequence(
				new HiLoSettings(HiLoSettings.DEFAULTS.formats(), Duration.ofSeconds(10), 2, true, (name) -> own));
		unchecked.placed(null).nextId();
		PlacedSequence placed = unchecked.placed(ARCHIVE);
		unchecked.set(ARCHIVE, 3L);
		assertThat(placed.nextIds(3)).containsExactly(2, 3, 4);
		assertThat(placed.nextId()).isEqualTo(5);
		assertThat(asked()).isEmpty();
	}

	@Test
	void consecutiveNumberIsCheckedWithItsReservation() {
		RangeSequence consecutive = sequence(EngineSettings.DEFAULTS.withConsecutiveSequences().settings());
		for (int i = 1; i <= 10; i++) {
			assertThat(consecutive.placed(new Place((i % 2 == 0) ? "a" : "b", Place.ID, false, true)).nextId())
				.isEqualTo(i);
		}
		assertThat(asked()).isEmpty();
	}

	@Test
	void idWhoseRangeIsNotKnownIsLookedForAmongTheLastOnesOrAskedForAlone() {
		issue(3);
		assertThat(this.sequence.confirm(ARCHIVE, 3L)).isCompletedWithValue(true);
		assertThat(this.sequence.confirm(ARCHIVE, 3L)).isCompletedWithValue(true);
		assertThat(this.sequence.confirm(TEXTS, "orders/2-A")).isCompletedWithValue(true);
		assertThat(asked()).containsExactly("3-32", "2-32");
		this.store.stored(500, 500);
		assertThat(this.sequence.confirm(ARCHIVE, 500L)).isCompletedWithValue(false);
		assertThat(this.sequence.confirm(TEXTS, "own-500")).isCompletedWithValue(true);
		assertThat(asked()).hasSize(2);
	}

	@Test
	void manyPlacesAreForgottenWithTheirRangeAndEightAreAskedOfNext() {
		for (int i = 1; i <= 20_000; i++) {
			this.sequence.placed(new Place("tickets-" + i, Place.ID, false, true)).nextId();
		}
		HeldRange last = this.sequence.current().held();
		this.store.requests().forEach((request) -> assertThat(request.places()).hasSizeLessThanOrEqualTo(8));
		issue(200);
		assertThat((Map<?, ?>) Objects.requireNonNull(ReflectionTestUtils.getField(last.places(), "places")))
			.hasSizeLessThanOrEqualTo(8);
	}

	@Test
	void ninthPlaceIsAskedForByItsCaller() {
		IntStream.range(0, 31)
			.forEach((i) -> this.sequence.placed(new Place("early-" + i % 8, Place.ID, false, true)).nextId());
		issue(1);
		assertThat(this.archive.nextId()).isEqualTo(33);
		assertThat(request(1).places()).hasSize(8).startsWith(ARCHIVE);
		assertThat(asked()).allSatisfy((range) -> assertThat(range).endsWith("-32"));
	}

	private CompletableFuture<?> confirm(long number, Place place) {
		HeldRange range = this.sequence.current().held();
		return this.sequence.confirm(NumberBlock.of(range, number), place).toCompletableFuture();
	}

	private long issue(int count) {
		return LongStream.range(0, count).map((i) -> this.sequence.placed(null).nextId()).max().orElse(0);
	}

	private RangeRequest request(int index) {
		return this.store.requests().get(index);
	}

	private List<String> asked() {
		return this.store.asked().stream().map((range) -> range.min() + "-" + range.max()).toList();
	}

	private static Long[] range(long first, long last) {
		return LongStream.rangeClosed(first, last).boxed().toArray(Long[]::new);
	}

	private RangeSequence sequence(HiLoSettings settings) {
		return new HiLoEngine(this.store, Class::getSimpleName, settings, this.time, this.events::add)
			.sequence(this.store, "orders");
	}

}

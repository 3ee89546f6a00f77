package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlacedSequence}: numbers are issued into a place from ranges that are
 * free there, and those that the application has chosen never. On a counter in memory.
 */
class PlacedSequenceTests {

	private static final Place ARCHIVE = new Place("archive", Place.ID, false, true);

	private static final Place TEXTS = new Place("archive", Place.ID, true, true);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final List<SequenceEvent> events = new CopyOnWriteArrayList<>();

	private final AtomicReference<RangeSequence.Mode> mode = new AtomicReference<>(RangeSequence.Mode.RUNNING);

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
		this.store.stored(9);
		assertThat(this.archive.nextId()).isEqualTo(10);
		assertThat(this.sequence.placed(null).nextId()).isEqualTo(11);
		assertThat(asked()).containsExactly("4-32");
		assertThat(this.sequence.snapshot().issued()).as("those that were skipped are not").isEqualTo(5);
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void lastNumberOfARangeMayBeStored() {
		issue(30);
		this.store.stored(32);
		assertThat(this.archive.nextId()).isEqualTo(33);
	}

	@Test
	void blockOverSeveralRangesWaitsForThoseThatAreNotFree() {
		issue(30);
		assertThat(this.archive.nextIds(100)).startsWith(31, 32, 33).hasSize(100);
		assertThat(asked()).as("the second range was checked for the block").containsExactly("31-32");
	}

	@Test
	void blockWaitsForAllItsRangesAtOnce() {
		issue(32 + 33);
		assertThat(this.store.requests()).as("33 to 96, and 97 to 160 ahead").hasSize(3);
		assertThat(this.archive.nextIds(60)).startsWith(66).endsWith(125);
		assertThat(asked()).containsExactly("66-96", "97-160");
	}

	@Test
	void numbersOfARangeInAdvanceThatAreStoredAreLeftOut() {
		issue(32 + 33);
		this.store.stored(100);
		assertThat(this.archive.nextIds(60)).startsWith(66).doesNotContain(97, 100).contains(96, 101).hasSize(60);
		assertThat(this.sequence.snapshot().issued()).isEqualTo(125);
	}

	@ParameterizedTest
	@ValueSource(longs = { 8, 12 })
	void blockWithAStoredNumberIsTakenBehindIt(long stored) {
		issue(7);
		this.store.stored(stored);
		assertThat(this.archive.nextIds(5)).startsWith(stored + 1).endsWith(stored + 5);
	}

	@Test
	void callersThatComeAtTheSameTimeShareAFind() {
		issue(3);
		this.store.hold();
		Callers<Long> callers = Callers.start(3, this.archive::nextId).awaitWaiting();
		assertThat(issue(2)).as("others go on").isEqualTo(5);
		this.store.answerAll();
		assertThat(callers.answers()).containsExactlyInAnyOrder(6L, 7L, 8L);
		assertThat(asked()).containsExactly("4-32");
	}

	@Test
	void findThatNeverEndsIsJoinedNoLongerThanItMayTake() {
		issue(3);
		this.store.hold();
		CompletableFuture<Waiter> lost = ask(ARCHIVE);
		CompletableFuture<Waiter> joined = ask(ARCHIVE);
		this.time.advance(Duration.ofSeconds(9));
		CompletableFuture<Waiter> next = ask(ARCHIVE);
		assertThat(asked()).containsExactly("4-32", "4-32");
		this.store.answerAll();
		assertThat(List.of(lost, joined, next)).allSatisfy((answer) -> assertThat(answer).isCompleted());
	}

	@Test
	void findThatFailsConcernsThoseAloneWhoGoThere() {
		issue(3);
		this.store.hold();
		CompletableFuture<Waiter> failed = ask(ARCHIVE);
		CompletableFuture<Waiter> other = ask(new Place("other", Place.ID, false, true));
		this.store.fail(new IllegalStateException("away"));
		assertThat(failed).isCompletedExceptionally();
		assertThat(other).isNotDone();
		this.store.answerAll();
		assertThat(other).isCompletedWithValueMatching((served) -> served.block().first() == 4);
		assertThat(this.archive.nextId()).as("tried again").isEqualTo(5);
		assertThat(asked()).containsExactly("4-32", "4-32", "5-32");
	}

	/**
	 * A number is there for the caller that waits for a find.
	 */
	@Test
	void reservationThatFailsConcernsThoseAloneForWhomTooLittleIsHeld() {
		issue(31);
		this.store.hold();
		CompletableFuture<Waiter> late = ask(ARCHIVE);
		CompletableFuture<Waiter> second = ask(ARCHIVE);
		this.store.answerLast((reservation) -> reservation.fail(new IllegalStateException("away")));
		assertThat(second).isCompletedExceptionally();
		assertThat(late).isNotDone();
		this.store.answerAll();
		assertThat(late).isCompletedWithValueMatching((served) -> served.block().first() == 32);
	}

	@Test
	void reservationCoversThePlaceOfThoseWhoseFindIsSlow() {
		issue(31);
		this.store.hold();
		CompletableFuture<Waiter> late = ask(ARCHIVE);
		CompletableFuture<?> range = this.sequence.ensureRange();
		assertThat(issue(1)).isEqualTo(32);
		CompletableFuture<Waiter> next = ask((Place) null);
		this.store.answerLast(FakeRangeStore.Held::run);
		assertThat(next).isCompleted();
		assertThat(late).isCompletedWithValueMatching((served) -> served.block().first() == 33);
		assertThat(request(1).places()).containsExactly(ARCHIVE);
		assertThat(range).isCompleted();
	}

	@ParameterizedTest
	@EnumSource(names = { "PAUSED", "CLOSED" })
	void callerThatWaitsForAFindGetsItsNumberInAPauseAndIsRefusedOnceClosed(RangeSequence.Mode next) {
		issue(3);
		this.store.hold();
		CompletableFuture<Waiter> late = ask(ARCHIVE);
		this.mode.set(next);
		CompletableFuture<?> release = this.sequence.release();
		this.store.answerAll();
		assertThat(release).isDone();
		if (next == RangeSequence.Mode.PAUSED) {
			assertThat(late).isCompletedWithValueMatching((served) -> served.block().first() == 4);
			assertThat(this.store.max()).as("the rest went back").isEqualTo(4);
		}
		else {
			assertThat(late).isCompletedExceptionally();
		}
	}

	@Test
	void numbersThatWentBackAndAreGrantedAgainAreAnotherRange() {
		issue(3);
		this.archive.nextId();
		assertThat(this.sequence.release()).isCompleted();
		this.store.stored(9);
		assertThat(this.sequence.placed(null).nextId()).as("checked for nobody").isEqualTo(5);
		assertThat(this.archive.nextId()).isEqualTo(10);
		assertThat(asked()).containsExactly("4-32", "6-36");
	}

	@Test
	void answerForARangeThatWentBackSaysNothingOfTheNextOne() {
		issue(3);
		this.store.hold();
		CompletableFuture<Waiter> early = ask(ARCHIVE);
		CompletableFuture<?> release = this.sequence.release();
		this.store.answer();
		assertThat(early).as("its range has gone back").isNotDone();
		this.store.answerAll();
		assertThat(release).isDone();
		assertThat(early).isCompletedWithValueMatching((served) -> served.block().first() == 4);
		assertThat(request(1).places()).as("the next range was checked there").containsExactly(ARCHIVE);
	}

	@ParameterizedTest
	@ValueSource(longs = { 2, 20, 32 })
	void chosenNumberIsNeverIssuedAndNothingIsAskedFor(long number) {
		this.archive.nextId();
		this.sequence.chosen(number);
		assertThat(LongStream.range(0, 40).map((i) -> this.archive.nextId())).doesNotContain(number).hasSize(40);
		assertThat(asked()).isEmpty();
		assertThat(this.sequence.snapshot().issued()).as("that one alone is lost").isEqualTo(41);
		assertThat(this.archive.nextId()).isEqualTo(43);
	}

	@Test
	void blocksLeaveChosenNumbersOut() {
		this.archive.nextId();
		LongStream.of(4, 5, 33, 7).forEach(this.sequence::chosen);
		assertThat(this.archive.nextIds(40)).containsExactly(LongStream.rangeClosed(2, 45)
			.filter((number) -> number != 4 && number != 5 && number != 7 && number != 33)
			.toArray());
	}

	@Test
	void chosenTextIsNeverIssuedWhateverItsPrefix() {
		PlacedSequence texts = this.sequence.placed(TEXTS);
		texts.nextDocumentId();
		List.of("orders/3-B", "orders/03-A", "lines/3-A", "orders/-A", "orders", "3", "")
			.forEach(this.sequence::chosen);
		assertThat(texts.nextDocumentIds(2)).as("of other forms").containsExactly("orders/2-A", "orders/3-A");
		this.sequence.chosen("orders/4-A");
		assertThat(texts.nextDocumentId()).isEqualTo("orders/5-A");
	}

	@Test
	@SuppressWarnings("NullAway") // on purpose
	void documentsWithNumbersThatWereIssuedAreStoredAHundredThousandTimesWithoutALock() {
		long[] own = this.archive.nextIds(100_000);
		this.archive.nextId();
		this.mode.set(null); // any step fails
		LongStream.of(own).forEach(this.sequence::chosen);
		this.mode.set(RangeSequence.Mode.RUNNING);
		assertThat(asked()).isEmpty();
		assertThat(this.archive.nextIds(40)).containsExactly(LongStream.rangeClosed(100_002, 100_041).toArray());
	}

	@Test
	void chosenNumberOfTheRangeInAdvanceIsLeftOut() {
		LongStream.range(0, 32 + 40).forEach((i) -> this.archive.nextId());
		assertThat(this.store.requests()).as("33 to 96, and 97 to 160 ahead").hasSize(3);
		this.sequence.chosen(100L);
		assertThat(LongStream.range(0, 50).map((i) -> this.archive.nextId())).doesNotContain(100L).contains(99L, 101L);
	}

	@Test
	void chosenNumberOfAReservationInFlightIsLeftOut() {
		this.archive.nextId();
		this.store.hold();
		CompletableFuture<Waiter> block = ask(new Waiter(40, ARCHIVE, null));
		this.sequence.chosen(3L);
		this.sequence.chosen(50L);
		this.store.answerAll();
		assertThat(block).isCompletedWithValueMatching(
				(served) -> LongStream.of(served.block().numbers()).noneMatch((number) -> number == 3));
		assertThat(LongStream.range(0, 20).map((i) -> this.archive.nextId())).doesNotContain(50L).contains(49L, 51L);
	}

	@Test
	void chosenNumberIsLeftOutWhenItsRangeComesAgain() {
		this.archive.nextId();
		this.sequence.chosen(20L);
		assertThat(this.sequence.release()).isCompleted();
		assertThat(this.archive.nextIds(30)).startsWith(2).endsWith(32).doesNotContain(20);
	}

	@Test
	void numbersThatAreChosenBeforeTheFirstReservationAreLeftOut() {
		LongStream.rangeClosed(5, 7).forEach(this.sequence::chosen);
		this.sequence.chosen(1_000_000L);
		assertThat(this.archive.nextIds(6)).containsExactly(1, 2, 3, 4, 8, 9);
	}

	/**
	 * The check meets those that are stored by then. Nothing jumps.
	 */
	@Test
	void chosenNumberFarAboveWhatIsHeldMovesNothing() {
		this.archive.nextId();
		this.sequence.chosen(5_000L);
		this.sequence.chosen(Long.MAX_VALUE);
		assertThat(this.archive.nextIds(100)).endsWith(101);
		assertThat(this.store.max()).isLessThan(200);
	}

	@Test
	void numberBeyondTheEndOfAllCountersIsNobodys() {
		this.sequence.chosen(Long.MAX_VALUE - 1);
		this.sequence.chosen(Long.MAX_VALUE);
		this.archive.nextId();
		this.sequence.chosen(2L);
		assertThat(this.archive.nextId()).isEqualTo(3);
	}

	@Test
	void batchOfChosenNumbersAboveWhatIsHeldIsLeftOut() {
		this.archive.nextId();
		LongStream.rangeClosed(30, 10_029).forEach(this.sequence::chosen);
		assertThat(this.archive.nextIds(100)).startsWith(2).contains(29, 10_030).doesNotContain(30, 33, 10_029);
	}

	@Test
	void callThatIsCancelledWhileItWaitsForAFindCostsNoNumber() {
		issue(3);
		this.store.hold();
		AsyncSequence async = new AsyncSequence(this.archive, Runnable::run,
				new Deadline(Duration.ofSeconds(10), this.time), Runnable::run);
		async.nextId().cancel(true);
		this.store.answerAll();
		assertThat(lost()).isEmpty();
		assertThat(this.archive.nextId()).isEqualTo(4);
	}

	@Test
	void numbersThatComeTooLateAreToldAsLost() {
		issue(3);
		this.sequence.take(2, null, new Deadline(Duration.ofSeconds(10), this.time),
				CompletableFuture.failedFuture(new CancellationException()), Runnable::run);
		assertThat(lost()).containsExactly("4 to 5 because their caller has given up");
	}

	private List<String> lost() {
		return this.events.stream()
			.filter(SequenceEvent.Discarded.class::isInstance)
			.map(SequenceEvent.Discarded.class::cast)
			.map((lost) -> lost.first() + " to " + lost.last() + " because " + lost.why())
			.toList();
	}

	@Test
	void callThatIsServedAtOnceHasNotWaited() {
		issue(1);
		this.events.clear();
		this.archive.nextId();
		assertThat(waits()).containsExactly("PT0S for CHECK");
		issue(20);
		assertThat(waits()).hasSize(1);
	}

	@Test
	void callOfAConsecutiveSequenceWaitsForItsRange() {
		sequence(EngineSettings.DEFAULTS.withConsecutiveSequences().settings()).nextId();
		assertThat(waits()).containsExactly("PT0S for RANGE");
	}

	@Test
	void waitEndsWhenTheSequenceServesAndNotWhenTheThreadGoesOn() {
		this.store.hold();
		Callers<Long> caller = Callers.start(1, this.archive::nextId).awaitWaiting();
		this.time.advance(Duration.ofSeconds(3));
		this.store.answerAll();
		caller.answers();
		this.time.advance(Duration.ofSeconds(2));
		Awaitility.await().untilAsserted(() -> assertThat(waits()).containsExactly("PT3S for RANGE"));
	}

	private List<String> waits() {
		return this.events.stream()
			.filter(SequenceEvent.Waited.class::isInstance)
			.map(SequenceEvent.Waited.class::cast)
			.map((wait) -> wait.time() + " for " + wait.phase())
			.toList();
	}

	@Test
	void nothingIsAskedForWhereIdsAreNotChecked() {
		HiLoSettings.SequenceSettings own = new HiLoSettings.SequenceSettings(1, 32, 64, false, false);
		RangeSequence unchecked = sequence(
				new HiLoSettings(HiLoSettings.DEFAULTS.formats(), Duration.ofSeconds(10), 2, true, (name) -> own));
		unchecked.placed(null).nextId();
		PlacedSequence placed = unchecked.placed(ARCHIVE);
		unchecked.chosen(3L);
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
	void manyPlacesEndWithTheirRangeAndEightAreAskedOfNext() {
		for (int i = 1; i <= 20_000; i++) {
			this.sequence.placed(new Place("tickets-" + i, Place.ID, false, true)).nextId();
		}
		HeldRange last = this.sequence.current().held();
		this.store.requests().forEach((request) -> assertThat(request.places()).hasSizeLessThanOrEqualTo(8));
		issue(200);
		assertThat(this.sequence.current().held()).isNotSameAs(last);
		assertThat(this.sequence.current().held().used()).hasSizeLessThanOrEqualTo(8);
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

	private CompletableFuture<Waiter> ask(@Nullable Place place) {
		return ask(new Waiter(1, place, null));
	}

	private CompletableFuture<Waiter> ask(Waiter waiter) {
		return this.sequence.ask(waiter).answer();
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

	private RangeSequence sequence(HiLoSettings settings) {
		return new RangeSequence("orders", this.store, settings, this.time, this.mode, this.events::add, Runnable::run);
	}

}

package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlacedSequence} and the {@link RangeSequence} behind it, on a counter
 * in memory: what they add to the decisions of {@link SequenceState}.
 */
class PlacedSequenceTests {

	private static final Askers ASKERS = new Askers(Runnable::run);

	private static final Places KNOWN = new Places();

	static {
		KNOWN.add(Place.ofType("orders", Place.ID, IdForm.NUMBER));
	}

	private static final Place ARCHIVE = Place.ofType("archive", Place.ID, IdForm.NUMBER);

	private static final Place TEXTS = Place.ofType("archive", Place.ID, IdForm.TEXT);

	private static final HiLoSettings SETTINGS = EngineSettings.DEFAULTS.withSequences(1, 32, 64).settings();

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final List<SequenceEvent> events = new CopyOnWriteArrayList<>();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final AtomicReference<RangeSequence.Mode> mode = new AtomicReference<>(RangeSequence.Mode.RUNNING);

	private final RangeSequence sequence = sequence(SETTINGS, Runnable::run);

	@Test
	void placeThatBecomesKnownLateIsAskedFromTheFirstNumberThatGoesThere() {
		assertThat(issue(3)).isEqualTo(3);
		assertThat(List.of(archive().nextId(), archive().nextId())).containsExactly(4L, 5L);
		assertThat(this.sequence.placed(null).nextId()).isEqualTo(6);
		assertThat(this.sequence.placed(ARCHIVE).nextId()).isEqualTo(7);
		assertThat(asked()).containsExactly("1-32", "4-32");
	}

	@Test
	void idsOfAnotherFormThanThePlacesGoAnywhere() {
		assertThat(issue(1)).isEqualTo(1);
		assertThat(archive().nextDocumentId()).isEqualTo("orders/2-A");
		assertThat(archive().nextDocumentIds(2)).containsExactly("orders/3-A", "orders/4-A");
		PlacedSequence texts = this.sequence.placed(TEXTS);
		assertThat(texts.nextId()).isEqualTo(5);
		assertThat(texts.nextIds(2)).containsExactly(6, 7);
		assertThat(asked()).as("in all places").containsExactly("1-32", "2-32", "5-32");
		assertThat(texts.nextDocumentId()).isEqualTo("orders/8-A");
		assertThat(asked()).as("in this one already").hasSize(3);
	}

	@Test
	void nextRangeIsSearchedAtOnceWhereNumbersOfTheCurrentOneWereUsed() {
		issue(1);
		archive().nextId();
		assertThat(asked()).containsExactly("1-32", "2-32");
		issue(30);
		assertThat(issue(1)).isEqualTo(33);
		assertThat(archive().nextId()).isEqualTo(34);
		assertThat(asked()).as("33 on in both").containsExactlyInAnyOrder("1-32", "2-32", "33-96", "33-96");
		issue(29);
		assertThat(asked()).as("33 to 96 are used to the half").hasSize(4);
		issue(1);
		assertThat(asked()).as("97 on in both, in advance").hasSize(6);
	}

	@Test
	void atMostEightPlacesAreSearchedInAdvance() {
		IntStream.range(0, 32)
			.forEach((i) -> this.sequence.placed(Place.ofType("early-" + i % 16, Place.ID, IdForm.NUMBER)).nextId());
		assertThat(asked()).hasSize(16);
		assertThat(this.sequence.placed(Place.ofType("late", Place.ID, IdForm.NUMBER)).nextId()).isEqualTo(33);
		assertThat(asked()).as("that of the waiter included").hasSize(16 + 8);
	}

	@Test
	void blockWaitsForAllItsRangesAtOnceAndLeavesOutWhatIsStored() {
		issue(32 + 33);
		assertThat(this.store.requests()).as("33 to 96, and 97 to 160 ahead").hasSize(3);
		this.store.stored(100);
		assertThat(archive().nextIds(60)).startsWith(66).doesNotContain(97, 100).contains(96, 101).hasSize(60);
		assertThat(asked()).startsWith("1-32", "33-96", "97-160", "66-96", "97-160");
		assertThat(this.sequence.snapshot().issued()).isEqualTo(125);
	}

	@Test
	void nothingIsAskedForOrExcludedWhereIdsAreNotChecked() {
		HiLoSettings.SequenceSettings own = new HiLoSettings.SequenceSettings(1, 32, 64, false, false);
		RangeSequence unchecked = sequence(
				new HiLoSettings(SETTINGS.formats(), SETTINGS.timeout(), 2, true, (name) -> own), Runnable::run);
		unchecked.placed(null).nextId();
		PlacedSequence placed = unchecked.placed(ARCHIVE);
		unchecked.exclude(3L);
		assertThat(placed.nextIds(3)).containsExactly(2, 3, 4);
		assertThat(placed.nextId()).isEqualTo(5);
		assertThat(asked()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 2, 20, 32 })
	void chosenNumberIsNeverIssuedAndNothingIsAskedFor(long number) {
		archive().nextId();
		this.sequence.exclude(number);
		assertThat(LongStream.range(0, 40).map((i) -> archive().nextId())).doesNotContain(number).hasSize(40);
		assertThat(asked()).as("what each range takes").containsExactly("1-32", "33-96");
		assertThat(this.sequence.snapshot().issued()).as("that one alone is lost").isEqualTo(41);
		assertThat(archive().nextId()).isEqualTo(43);
	}

	@Test
	@SuppressWarnings("NullAway") // on purpose
	void documentsWithNumbersThatWereIssuedAreStoredAHundredThousandTimesWithoutALock() {
		long[] own = archive().nextIds(100_000);
		archive().nextId();
		this.mode.set(null); // any step fails
		LongStream.of(own).forEach(this.sequence::exclude);
		this.mode.set(RangeSequence.Mode.RUNNING);
		assertThat(asked()).hasSizeLessThan(4);
		assertThat(archive().nextIds(40)).containsExactly(LongStream.rangeClosed(100_002, 100_041).toArray());
	}

	@Test
	void chosenNumberOfAReservationInFlightIsExcluded() {
		archive().nextId();
		this.store.hold();
		CompletableFuture<Waiter> block = archive().request(40, IdForm.NUMBER, deadline(), null, ASKERS);
		this.sequence.exclude(3L);
		this.sequence.exclude(50L);
		this.store.answerAll();
		assertThat(block.join().numbers()).doesNotContain(3);
		assertThat(LongStream.range(0, 20).map((i) -> archive().nextId())).doesNotContain(50L).contains(49L, 51L);
	}

	@Test
	void chosenNumberIsRememberedUntilAHigherOneIsIssued() {
		issue(1);
		this.sequence.exclude(100L);
		assertThat(this.sequence.release()).isDone();
		this.store.max(200);
		assertThat(this.sequence.ensureRange(this.store).findFirst().orElseThrow()).as("201 to 232 are held").isDone();
		assertThat(this.sequence.release()).isDone();
		this.store.max(60);
		assertThat(this.sequence.placed(null).nextIds(60)).startsWith(61).doesNotContain(100);
	}

	@Test
	void numbersThatAreChosenBeforeTheFirstReservationAreExcluded() {
		LongStream.rangeClosed(5, 7).forEach(this.sequence::exclude);
		this.sequence.exclude(Long.MAX_VALUE - 1);
		this.sequence.exclude(Long.MAX_VALUE);
		assertThat(archive().nextIds(6)).containsExactly(1, 2, 3, 4, 8, 9);
	}

	@Test
	void atMost64CallersOfAConsecutiveSequenceShareAReservation() {
		RangeSequence consecutive = sequence(new EngineSettings(SETTINGS).withConsecutiveSequences().settings(),
				Runnable::run);
		this.store.hold();
		List<Waiter> callers = IntStream.range(0, 70)
			.mapToObj((i) -> consecutive.ask(new Waiter(1, null, null)))
			.toList();
		this.store.answerAll();
		assertThat(this.store.requests()).extracting(RangeRequest::size).containsExactly(1L, 64L, 5L);
		assertThat(callers).extracting(Waiter::first)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 70).boxed().toList());
	}

	@Test
	void callersThreadOnlyHandsOverWhatMayWait() {
		RangeSequence busy = sequence(SETTINGS, this.tasks::add);
		this.store.hold();
		CompletableFuture<Waiter> first = request(busy);
		assertThat(this.store.requests()).isEmpty();
		runTasks();
		assertThat(this.store.requests()).hasSize(1);
		CompletableFuture<Waiter> second = request(busy);
		assertThat(request(busy).cancel(true)).as("before it queues").isTrue();
		runTasks();
		assertThat(first.cancel(true)).isTrue();
		assertThat(this.tasks).as("leaving the queue needs its lock").isNotEmpty();
		runTasks();
		this.store.answerAll();
		assertThat(second.join().first()).isEqualTo(1);
		runTasks();
		assertThat(request(busy).join().firstDocumentId()).isEqualTo("orders/2-A");
		assertThat(busy.placed(null).request(30, IdForm.TEXT, deadline(), null, ASKERS).join().documentIds())
			.hasSize(30)
			.endsWith("orders/32-A");
		assertThat(this.tasks).as("what is there is taken at once").isEmpty();
	}

	/**
	 * The number of a stored document was issued by nobody.
	 */
	@Test
	void snapshotShowsTheLastNumberThatWasIssued() {
		this.store.stored(3);
		assertThat(archive().nextId()).isEqualTo(4);
		SequenceSnapshot.Range range = Objects.requireNonNull(this.sequence.snapshot().range());
		assertThat(range.last()).isEqualTo(4);
		assertThat(range.remaining()).isEqualTo(28);
		this.sequence.exclude(5);
		range = Objects.requireNonNull(this.sequence.snapshot().range());
		assertThat(range.last()).as("5 was passed over").isEqualTo(4);
		assertThat(range.remaining()).isEqualTo(27);
	}

	@Test
	void raiseIsSentByATaskUnlessItIsCancelledBefore() {
		PlacedSequence busy = sequence(SETTINGS, this.tasks::add).placed(null);
		busy.requestRaise(4000, deadline(), this.store).cancel(true);
		CompletableFuture<Long> raise = busy.requestRaise(3000, deadline(), this.store);
		assertThat(this.store.max()).isZero();
		runTasks();
		assertThat(raise).isCompletedWithValue(3000L);
	}

	@Test
	void callThatIsCancelledWhileItWaitsForAFindCostsNoNumber() {
		issue(3);
		this.store.hold();
		archive().request(1, IdForm.NUMBER, deadline(), null, ASKERS).cancel(true);
		this.store.answerAll();
		assertThat(lost()).isEmpty();
		assertThat(archive().nextId()).isEqualTo(4);
	}

	@Test
	void numberThatWasOnItsWayToACancelledCallBecomesAGap() {
		this.store.hold();
		List<CompletableFuture<Waiter>> calls = Stream.generate(() -> request(this.sequence)).limit(3).toList();
		CompletableFuture<Boolean> cancelled = calls.get(0).thenApply((served) -> calls.get(1).cancel(true));
		this.store.answerAll();
		assertThat(cancelled).isCompletedWithValue(true);
		assertThat(calls.get(2).join().first()).isEqualTo(3);
		assertThat(lost()).containsExactly("2 to 2 because their caller has given up");
	}

	@Test
	void callersThatLeaveAreNotKeptWhileARequestIsUnderWay() {
		this.store.hold();
		IntStream.range(0, 100).forEach((i) -> request(this.sequence).cancel(true));
		Object state = Objects.requireNonNull(ReflectionTestUtils.getField(this.sequence, "state"));
		assertThat(ReflectionTestUtils.getField(state, "waiters"))
			.asInstanceOf(InstanceOfAssertFactories.type(WaitQueue.class))
			.extracting(WaitQueue::size)
			.isEqualTo(0);
	}

	@Test
	void callersGetTheirNumbersThoughTheNextRequestCannotBeSent() {
		RangeSequence single = sequence(EngineSettings.DEFAULTS.withSequences(1, 1, 1).settings(), Runnable::run);
		this.store.hold();
		CompletableFuture<Waiter> first = request(single);
		CompletableFuture<Waiter> second = request(single);
		this.store.throwOnce(new OutOfMemoryError("unable to create native thread"));
		this.store.answerAll();
		assertThat(first).isCompleted();
		assertThat(second).isCompletedExceptionally();
		assertThat(single.placed(null).nextId()).isEqualTo(2);
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
		archive().nextId();
		assertThat(waits()).containsExactly("PT0S for CHECK");
		issue(20);
		assertThat(waits()).hasSize(1);
	}

	@Test
	void waitEndsWhenTheSequenceServesAndNotWhenTheThreadGoesOn() {
		this.store.hold();
		Callers<Long> caller = Callers.start(1, archive()::nextId).awaitWaiting();
		this.time.advance(Duration.ofSeconds(3));
		this.store.answerAll();
		caller.answers();
		this.time.advance(Duration.ofSeconds(2));
		Awaitility.await().untilAsserted(() -> assertThat(waits()).containsExactly("PT3S for RANGE", "PT0S for CHECK"));
	}

	private List<String> waits() {
		return this.events.stream()
			.filter(SequenceEvent.Waited.class::isInstance)
			.map(SequenceEvent.Waited.class::cast)
			.map((wait) -> wait.time() + " for " + wait.phase())
			.toList();
	}

	private CompletableFuture<Waiter> request(RangeSequence sequence) {
		return sequence.placed(null).request(1, IdForm.NUMBER, deadline(), null, ASKERS);
	}

	private Deadline deadline() {
		return new Deadline(SETTINGS.timeout(), this.time);
	}

	/**
	 * Runs what waits, and what that leads to.
	 */
	private void runTasks() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

	/**
	 * A range that was covered for callers without a place is not, once another place is
	 * known.
	 */
	@Test
	void callerWithoutAPlaceNeedsEveryPlaceThatIsKnownWhenItArrives() {
		issue(3);
		this.sequence.register(ARCHIVE);
		this.store.stored(7);
		assertThat(issue(1)).isEqualTo(8);
		assertThat(issue(1)).isEqualTo(9);
		assertThat(asked()).as("in the new place alone").containsExactly("1-32", "4-32");
	}

	@Test
	void callersWithoutAPlaceAskInEightPlacesAtOnce() {
		IntStream.range(0, 20).forEach((i) -> this.sequence.register(Place.ofType("p" + i, Place.ID, IdForm.NUMBER)));
		this.store.hold();
		CompletableFuture<Waiter> call = request(this.sequence);
		this.store.answer();
		assertThat(asked()).hasSize(8);
		this.store.answer();
		assertThat(asked()).as("another one for each answer").hasSize(9);
		this.store.answerAll();
		assertThat(call.join().first()).isEqualTo(1);
		assertThat(asked()).as("in 21 places").hasSize(21);
	}

	@Test
	void placeOfTheNameIsCoveredWithThatOfATypeThere() {
		this.sequence.register(Place.ofName("archive", IdForm.NUMBER));
		this.sequence.register(ARCHIVE);
		issue(1);
		assertThat(asked()).as("in two places").hasSize(2);
	}

	@Test
	void inDoubtEachCallAsksOnItsThread() {
		Places doubtful = new Places();
		doubtful.add(ARCHIVE);
		doubtful.setInDoubt(true);
		List<Thread> asking = new ArrayList<>();
		RangeSequence sequence = new RangeSequence("orders", this.store, SETTINGS, doubtful,
				ChosenInTests.of(this.time), () -> asking.add(Thread.currentThread()), this.time, this.mode,
				this.events::add, Runnable::run);
		PlacedSequence handle = sequence.placed(null);
		LongStream.rangeClosed(1, 3).forEach((number) -> assertThat(handle.nextId()).isEqualTo(number));
		assertThat(asking).containsOnly(Thread.currentThread()).hasSize(3);
		doubtful.add(Place.ofType("named", Place.ID, IdForm.NUMBER));
		doubtful.setInDoubt(false);
		handle.nextId();
		handle.nextId();
		assertThat(asking).as("and once to wait for a find").hasSize(4);
		assertThat(asked()).containsExactly("1-32", "4-32");
	}

	private PlacedSequence archive() {
		return this.sequence.placed(ARCHIVE);
	}

	private long issue(int count) {
		return LongStream.range(0, count).map((i) -> this.sequence.placed(null).nextId()).max().orElse(0);
	}

	private List<String> asked() {
		return this.store.asked().stream().map((range) -> range.min() + "-" + range.max()).toList();
	}

	private RangeSequence sequence(HiLoSettings settings, Executor executor) {
		return new RangeSequence("orders", this.store, settings, KNOWN, ChosenInTests.of(this.time), () -> {
		}, this.time, this.mode, this.events::add, executor);
	}

}

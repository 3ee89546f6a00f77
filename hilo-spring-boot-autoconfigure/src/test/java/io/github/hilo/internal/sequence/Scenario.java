package io.github.hilo.internal.sequence;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.LaterTasks;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.counter.CounterMutant;
import io.github.hilo.internal.engine.EngineSteps;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import org.junit.jupiter.api.Test;

/**
 * What a {@link EngineMutant} has to fail at. Each says what went wrong, which is nothing
 * as long as the engine is as it should be.
 */
enum Scenario implements Callable<String> {

	/**
	 * Processes that come and go.
	 */
	SIMULATION_CALM(() -> brokenPromise(Simulation.Faultiness.CALM)),

	/**
	 * Crashes, elections, a network that can't be relied on, snapshots of processes, and
	 * a counter that is restored from a backup.
	 */
	SIMULATION_DAMAGE(() -> brokenPromise(Simulation.Faultiness.DAMAGE)),

	/**
	 * One thread takes numbers, another one ends the range.
	 */
	TAKE_AGAINST_SEAL(() -> seen(RangeCursorStress.TakeAgainstSeal.class)),

	/**
	 * One thread learns that a number is stored in a late place, another one takes for
	 * that place.
	 */
	COVER_AGAINST_TAKE(() -> seen(RangeSequenceStress.CoverAgainstTake.class)),

	/**
	 * Two threads choose the same number, and one of them takes the next one.
	 */
	CHOOSE_TWICE(() -> seen(RangeSequenceStress.ChooseTwice.class)),

	/**
	 * One thread chooses a number of a range that arrives, another one takes it.
	 */
	CHOOSE_AGAINST_ARRIVAL(() -> seen(RangeSequenceStress.ChooseAgainstArrival.class)),

	/**
	 * Two threads choose numbers that join each other.
	 */
	CHOOSE_NEIGHBOURS(() -> seen(RangeSequenceStress.ChooseNeighbours.class)),

	/**
	 * A process holds two ranges, and somebody had numbers in between for a while.
	 */
	RANGES_THAT_ONLY_LOOK_ADJACENT(() -> returnedAfter(FakeRangeStore::grantToSomebodyElseAndTakeBack, 96)),

	/**
	 * A process holds two ranges that no other write came between, as it seems: the first
	 * reservation was carried out once more after others had reserved.
	 */
	RANGES_THAT_ONLY_LOOK_LINKED(
			() -> returnedAfter(FakeRangeStore::grantToSomebodyElseAndRepeatTheLatest, 96 + 32 + 64)),

	/**
	 * A reservation is answered after everything was forgotten.
	 */
	LATE_ANSWER(Scenario::lateAnswer),

	/**
	 * The application chooses a number of the range that is being reserved.
	 */
	CHOSEN_WHILE_RESERVING(Scenario::chosenWhileReserving),

	/**
	 * The application chooses numbers that lie far apart.
	 */
	FAR_CHOICES(Scenario::farChoices),

	/**
	 * Numbers are chosen, and minutes pass.
	 */
	CHOICES_IN_TIME(() -> failureOf("io.github.hilo.internal.sequence.ChosenNumbersTests")),

	/**
	 * A range goes back with a number that was chosen.
	 */
	RETURN_OF_A_CHOSEN_NUMBER(() -> playedOtherwise("""
			begin            |
			chosen 3         |
			release          | gap 2 to 3, return 4 to 4
			""")),

	/**
	 * Finds are answered after their range has gone.
	 */
	LATE_FINDS(Scenario::lateFinds),

	/**
	 * A caller of a consecutive sequence arrives while one of a batch waits for a find.
	 */
	CONSECUTIVE_DURING_FINDS(Scenario::consecutiveDuringFinds),

	/**
	 * Callers come through two clients of one database.
	 */
	BROUGHT_STORES(() -> failureOf("io.github.hilo.internal.sequence.BroughtStoreTests")),

	/**
	 * Types become known, and calls claim fields.
	 */
	CLAIMS(() -> failureOf("io.github.hilo.internal.mapping.AssignmentRefusalTests")),

	/**
	 * Commands wait for others of their cluster.
	 */
	COMMAND_QUEUE(() -> failureOf("io.github.hilo.internal.mongodb.CommandQueueTests")),

	/**
	 * Numbers are asked for and returned while an answer is on its way.
	 */
	ONE_REQUEST_AT_A_TIME(Scenario::oneRequestAtATime);

	private static final long SCHEDULES = 4_000;

	@SuppressWarnings("ImmutableEnumChecker") // Lambdas that capture nothing.
	private final Callable<String> check;

	Scenario(Callable<String> check) {
		this.check = check;
	}

	@Override
	public String call() throws Exception {
		return this.check.call();
	}

	/**
	 * Runs the tests of a class that need no extension, and returns the first failure.
	 */
	private static String failureOf(String tests) throws ReflectiveOperationException {
		Class<?> type = Class.forName(tests, true, Scenario.class.getClassLoader());
		for (Method test : type.getDeclaredMethods()) {
			if (test.isAnnotationPresent(Test.class) && test.getParameterCount() == 0) {
				try {
					Constructor<?> constructor = type.getDeclaredConstructor();
					constructor.setAccessible(true);
					test.setAccessible(true);
					test.invoke(constructor.newInstance());
				}
				catch (InvocationTargetException ex) {
					return test.getName() + ": " + ex.getCause();
				}
			}
		}
		return "";
	}

	private static String lateAnswer() {
		FakeRangeStore store = new FakeRangeStore("shop");
		HiLoEngine engine = engine(false);
		store.hold();
		Waiter waiter = engine.sequence(store, "orders").ask(new Waiter(1, null, null));
		CompletableFuture<?> pause = EngineSteps.pause(engine);
		engine.resume();
		store.answer();
		String issued = waiter.isSettled() ? "A range of before the resume was used" : "";
		store.answerAll();
		return pause.isDone() && waiter.isSettled() ? issued : "Somebody waits for ever";
	}

	private static String chosenWhileReserving() {
		FakeRangeStore store = new FakeRangeStore("shop");
		RangeSequence sequence = engine(false).sequence(store, "orders");
		sequence.placed(null).nextIds(32);
		store.hold();
		Waiter waiter = sequence.ask(new Waiter(1, null, null));
		sequence.exclude(33L);
		store.answerAll();
		return (waiter.first() == 33) ? "A number was issued that was chosen" : "";
	}

	private static String farChoices() {
		FakeRangeStore store = new FakeRangeStore("shop", new LaterTasks());
		RangeSequence sequence = EngineSettings.PATIENT.withSequences(1, 1 << 18, 1 << 18)
			.engine(store, new ManualTime())
			.sequence(store, "orders");
		sequence.placed(null).nextId();
		long[] chosen = LongStream.rangeClosed(1, 2_000).map((i) -> 100 * i + i % 7).toArray();
		LongStream.of(chosen).forEach(sequence::exclude);
		Set<Long> issued = LongStream.of(sequence.placed(null).nextIds(100_000)).boxed().collect(Collectors.toSet());
		return LongStream.of(chosen).anyMatch(issued::contains) ? "A number was issued that was chosen"
				: (store.max() > 1 << 18) ? "Too many numbers are lost" : "";
	}

	private static String lateFinds() {
		return playedOtherwise("""
				begin                 |
				ask b c d in lines    | find 2 to 4 in lines
				ask e f g             | e=2, reserve 8 above 4, f=3, g=4
				granted               |
				found 4 in lines      | find 5 to 12 in lines
				found 0 in lines      | b=5, c=6, d=7
				release               | return 8 to 12
				returned              | released
				ask h in lines        | reserve 4 above 7
				granted               | find 8 to 11 in lines
				release               | return 8 to 11
				not found in lines    |
				returned              | released, reserve 4 above 7
				""");
	}

	private static String playedOtherwise(String table) {
		String played = StateScript.play(StateScript.SETTINGS, table);
		return played.equals(table) ? "" : played;
	}

	private static String consecutiveDuringFinds() {
		FakeRangeStore store = new FakeRangeStore("shop");
		RangeSequence sequence = EngineSettings.PATIENT.withConsecutiveSequences()
			.engine(store, new ManualTime())
			.sequence(store, "orders");
		Place fast = Place.ofType("fast", Place.ID, IdForm.NUMBER);
		Place slow = Place.ofType("slow", Place.ID, IdForm.NUMBER);
		store.hold();
		sequence.ask(new Waiter(1, null, null));
		Waiter first = sequence.ask(new Waiter(1, fast, null));
		Waiter second = sequence.ask(new Waiter(1, slow, null));
		// Two reservations, and the find of the first place.
		store.answer();
		store.answer();
		store.answer();
		long taken = sequence.placed(fast).cursor(IdForm.NUMBER).take();
		store.answerAll();
		return (taken == RangeCursor.NONE && first.first() == 2 && second.first() == 3) ? ""
				: "A caller that came later took " + taken;
	}

	private static String oneRequestAtATime() {
		FakeRangeStore store = new FakeRangeStore("shop");
		HiLoEngine engine = engine(false);
		RangeSequence sequence = engine.sequence(store, "orders");
		sequence.placed(null).nextId();
		store.hold();
		CompletableFuture<?> release = sequence.release();
		LongStream.range(0, 3).forEach((i) -> sequence.ask(new Waiter(1, null, null)));
		store.answerAll();
		return release.isDone() && store.mostInFlight() == 1 ? "" : store.mostInFlight() + " requests were in flight";
	}

	private static String brokenPromise(Simulation.Faultiness faultiness) {
		return LongStream.rangeClosed(1, SCHEDULES).parallel().mapToObj((seed) -> {
			try {
				new Simulation(seed, faultiness, CounterMutant.NONE).run();
				return "";
			}
			catch (PromiseChecker.BrokenPromise ex) {
				return String.valueOf(ex.getMessage());
			}
		}).filter((broken) -> !broken.isEmpty()).findAny().orElse("");
	}

	/**
	 * Lets something happen between the reservations of two ranges, and releases them.
	 * @param lastIssued what alone the counter may go back to
	 */
	private static String returnedAfter(Consumer<FakeRangeStore> event, long lastIssued) {
		FakeRangeStore store = new FakeRangeStore("shop");
		HiLoEngine engine = engine(true);
		RangeSequence sequence = engine.sequence(store, "orders");
		LongStream.range(0, 32 + 31).forEach((i) -> sequence.placed(null).nextId());
		event.accept(store);
		sequence.placed(null).nextId();
		sequence.release().join();
		return store.returns().stream().allMatch((range) -> range.newMax() == lastIssued) ? ""
				: "Numbers that somebody else has were returned: " + store.returns();
	}

	private static String seen(Class<?> test) throws ReflectiveOperationException {
		return StressRunner.forbidden(String.valueOf(test.getCanonicalName()));
	}

	private static HiLoEngine engine(boolean prefetch) {
		return EngineSettings.PATIENT.withPrefetch(prefetch)
			.withSequences(1, 32, 64)
			.engine(new FakeRangeStore("shop"), new ManualTime());
	}

}

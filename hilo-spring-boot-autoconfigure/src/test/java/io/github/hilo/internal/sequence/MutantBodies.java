package io.github.hilo.internal.sequence;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;

import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import net.bytebuddy.implementation.bind.annotation.Argument;
import net.bytebuddy.implementation.bind.annotation.FieldValue;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import net.bytebuddy.implementation.bind.annotation.SuperMethod;
import net.bytebuddy.implementation.bind.annotation.This;
import org.jspecify.annotations.Nullable;

import org.springframework.test.util.ReflectionTestUtils;

/**
 * The bodies that take the place of a method of the engine, one for each
 * {@link EngineMutant}. Public where a class of another package calls them.
 */
@SuppressWarnings("unused") // called by the classes that are changed
public final class MutantBodies {

	private static final int COUNT = 7;

	private MutantBodies() {
	}

	static long sealInTwoSteps(@This RangeCursor cursor, @FieldValue("taken") AtomicLongArray taken) {
		long last = cursor.lastTaken();
		taken.set(COUNT, 1L << 62);
		return last;
	}

	public static boolean directlyOnTopByNumber(@This ReservedRange range, @Argument(0) ReservedRange other) {
		return range.min() == other.max() + 1;
	}

	public static boolean directlyOnTopByGrant(@This ReservedRange range, @Argument(0) ReservedRange other) {
		return range.grants().size() > 1 && other.grants().indexOf(range.grants().get(1)) == 0;
	}

	static void useALateAnswer(@This SequenceState state, @Argument(0) Object operation, @SuperCall Runnable reserved) {
		set(state, "operation", operation);
		reserved.run();
	}

	static void sendWhateverIsInFlight(@This SequenceState state, @SuperCall Runnable startNext) {
		set(state, "operation", null);
		startNext.run();
	}

	static long forgetWhatWasIssued(@This HeldRanges sequence, @SuperCall Callable<Long> seal) throws Exception {
		long last = seal.call();
		set(sequence, "lastIssued", 0L);
		return last;
	}

	static long serveWhoCameLater() {
		return 0;
	}

	static boolean neverAskedIsCovered() {
		return true;
	}

	static long coveredBeforeSeal(@Argument(0) HeldRange range, @Argument(1) Place place,
			@SuperCall Callable<Long> cover) throws Exception {
		range.cover(place);
		return cover.call();
	}

	static RangeCursor heldCursorIsPublished(@FieldValue("ranges") HeldRanges ranges) {
		return ranges.current();
	}

	static void lateFindEnlarges(@Argument(0) Operation.Find find, @FieldValue("ranges") HeldRanges ranges,
			@FieldValue("demand") Demand demand, @SuperCall Runnable found) {
		if (!ranges.isHeld(find.range())) {
			demand.tooFewLeft(find.range().range());
		}
		found.run();
	}

	static void lateFindRefuses(@Argument(0) Operation.Find find, @Argument(2) @Nullable RuntimeException failure,
			@Argument(3) Step step, @FieldValue("waiters") WaitQueue waiters, @SuperCall Runnable found) {
		if (failure != null) {
			waiters.refuse((waiter) -> find.place().equals(waiter.place()), failure, step);
		}
		found.run();
	}

	static void intervalIsDropped(@FieldValue("set") Intervals set, @FieldValue("first") long first) {
		set.removeBelow(first);
	}

	static void notTakenOver() {
	}

	static void takenOverBeforeItIsHeld(@This HeldRanges ranges, @Argument(0) HeldRange held,
			@FieldValue("chosen") ChosenNumbers chosen, @FieldValue("current") RangeCursor current,
			@SuperCall Runnable keep) {
		held.excludeChosen(chosen);
		set(ranges, "chosen", ChosenInTests.of(TimeSource.SYSTEM));
		keep.run();
		set(ranges, "chosen", chosen);
	}

	static boolean followingRangeIsNotAsked(@FieldValue("current") RangeCursor current, @Argument(0) long number) {
		return current.held().mayIssue(number);
	}

	static void lostWhenTheRangeComesAgain(@This ChosenNumbers chosen, @SuperCall Runnable addTo) {
		addTo.run();
		set(chosen, "generations", List.of());
	}

	static boolean forgottenASecondEarly(@FieldValue("notedAt") int noted, @Argument(0) int look) {
		return look - noted >= ChosenMemory.REMEMBERED;
	}

	static boolean secondChoiceDoesNotBeginAnew(@FieldValue("numbers") Intervals numbers, @Argument(0) long number) {
		return numbers.has(number);
	}

	static void forgottenWhileHeld(@FieldValue("chosen") ChosenNumbers chosen, @Argument(0) HeldRange held,
			@SuperCall Runnable startSegment) {
		Intervals remembered = new Intervals();
		chosen.addTo(remembered, held.range().min(), held.range().max());
		if (remembered.size() == 0) {
			held.excluded().removeBelow(Long.MAX_VALUE);
		}
		startSegment.run();
	}

	static void twoWritersAtOnce(@FieldValue("generations") List<ChosenNumbers.Generation> generations,
			@Argument(0) long number, @SuperCall Runnable add) {
		if (generations.isEmpty()) {
			add.run();
		}
		else {
			generations.get(0).note(number, 0);
		}
	}

	static void chosenInAllDatabasesIsForgotten(@FieldValue("ofAllDatabases") @Nullable Object all,
			@SuperCall Runnable addTo) {
		if (all != null) {
			addTo.run();
		}
	}

	static boolean returnDuringFinds() {
		return false;
	}

	static long storedNumberNotPassed(@Argument(0) HeldRange range, @Argument(1) Place place) {
		range.cover(place);
		return 0;
	}

	static long excludedGoesBack() {
		return 0;
	}

	static void excludedBeforeSeal(@Argument(0) HeldRange held, @Argument(1) long first, @Argument(2) long last,
			@SuperCall Runnable exclude) {
		held.exclude(first, last);
		exclude.run();
	}

	static void chosenNumberIsIssued() {
	}

	static void resetNoCopy() {
	}

	static boolean keyStays(@FieldValue("coveredUpTo") int coveredUpTo, @Argument(0) int upTo) {
		return coveredUpTo >= Math.min(1, upTo);
	}

	static boolean windowOutlivesItsSecond() {
		return false;
	}

	static boolean windowCoversWhatItHasNotSeen(@FieldValue("first") long first, @Argument(0) ReservedRange range) {
		return range.min() >= first;
	}

	static void windowsDoNotEnd() {
	}

	static void oldFindOpensAWindow(@This Windows windows, @Argument(0) Operation.Find find, @Argument(1) long freeUpTo,
			@FieldValue("generation") long generation, @SuperMethod Method open) throws ReflectiveOperationException {
		Windows.LookAhead ahead = new Windows.LookAhead(find.ahead().upTo(), generation, find.ahead().begun());
		open.invoke(windows, new Operation.Find(find.range(), find.place(), find.first(), ahead, find.startedNanos(),
				find.deadline(), find.store()), freeUpTo);
	}

	static void saveRegistersNoPlace() {
	}

	static int versionIsNotRead() {
		return 0;
	}

	static List<Place> advancedWithoutFind(@This HeldRange held, @Argument(0) int upTo,
			@SuperCall Callable<List<Place>> uncovered) throws Exception {
		List<Place> found = uncovered.call();
		set(held, "coveredUpTo", upTo);
		return found;
	}

	static boolean failureRefusesAll() {
		return true;
	}

	static RangeStore broughtStoreIsIgnored(@Argument(0) RangeStore own) {
		return own;
	}

	public static Claim fieldIsNeverClaimed() {
		return Claim.NONE;
	}

	@RuntimeType
	public static Object unnamedTypeIsForgotten(@SuperCall Callable<@Nullable Object> fieldsOf) throws Exception {
		return Objects.requireNonNullElse(fieldsOf.call(), List.of());
	}

	public static void newestCommandFirst(@FieldValue("waiting") Set<Object> waiting, @SuperCall Runnable start) {
		List<Object> before = List.copyOf(waiting);
		start.run();
		before.forEach(waiting::remove);
		waiting.addAll(before);
	}

	public static void overdueCommandStays() {
	}

	@RuntimeType
	public static Object noBoundOfAll(@This Object queue, @SuperCall Callable<Object> bound) throws Exception {
		return without(queue, "inFlight", bound);
	}

	@RuntimeType
	public static Object noBoundOfALane(@Argument(0) Object command, @SuperCall Callable<Object> bound)
			throws Exception {
		return without(Objects.requireNonNull(get(command, "lane")), "inFlight", bound);
	}

	@RuntimeType
	public static Object noBoundOfUnprovenLanes(@This Object queue, @SuperCall Callable<Object> bound)
			throws Exception {
		return without(queue, "unprovenInFlight", bound);
	}

	@RuntimeType
	public static Object noBoundOfSilentLanes(@This Object queue, @SuperCall Callable<Object> bound) throws Exception {
		return without(queue, "silentInFlight", bound);
	}

	private static Object without(Object counts, String count, Callable<Object> bound) throws Exception {
		Object before = get(counts, count);
		set(counts, count, 0);
		try {
			return bound.call();
		}
		finally {
			set(counts, count, before);
		}
	}

	public static void unsentCommandSilencesItsLane(@Argument(0) Object command, @SuperCall Runnable giveUp) {
		giveUp.run();
		set(Objects.requireNonNull(get(command, "lane")), "isSilent", true);
	}

	@RuntimeType
	public static Object lanesAreKept(@FieldValue("lanes") Map<Object, Object> lanes,
			@FieldValue("time") TimeSource time, @SuperCall Callable<Object> use) throws Exception {
		lanes.values().forEach((lane) -> set(lane, "usedNanos", time.nanoTime()));
		return use.call();
	}

	private static @Nullable Object get(Object target, String field) {
		return ReflectionTestUtils.getField(target, field);
	}

	private static void set(Object target, String field, @Nullable Object value) {
		ReflectionTestUtils.setField(target, field, value);
	}

}

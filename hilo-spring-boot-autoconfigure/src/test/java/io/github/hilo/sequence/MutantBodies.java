package io.github.hilo.sequence;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;

import io.github.hilo.store.ReservedRange;
import net.bytebuddy.implementation.bind.annotation.Argument;
import net.bytebuddy.implementation.bind.annotation.FieldValue;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
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

	static long sealOnlyReports(@This RangeCursor cursor) {
		return cursor.lastTaken();
	}

	static long sealInTwoSteps(@This RangeCursor cursor, @FieldValue("taken") AtomicLongArray taken) {
		long last = cursor.lastTaken();
		taken.set(COUNT, 1L << 62);
		return last;
	}

	static long takeInTwoSteps(@FieldValue("taken") AtomicLongArray taken, @FieldValue("min") long min,
			@FieldValue("size") long size) {
		long offset = taken.get(COUNT);
		taken.set(COUNT, offset + 1);
		return (offset < size) ? min + offset : RangeCursor.NONE;
	}

	static long takeComparesNumbers(@This RangeCursor cursor, @FieldValue("taken") AtomicLongArray taken,
			@FieldValue("min") long min) {
		long number = min + taken.getAndIncrement(COUNT);
		return (number <= cursor.end()) ? number : RangeCursor.NONE;
	}

	static long takeDoesNotMove(@This RangeCursor cursor) {
		return (cursor.lastTaken() < cursor.end()) ? cursor.lastTaken() + 1 : RangeCursor.NONE;
	}

	static String documentIdOfTheRangeByThen(@This RangeSequence sequence) {
		long number = sequence.nextId();
		return ((RangeCursor) Objects.requireNonNull(get(sequence, "current"))).documentId(number);
	}

	static String documentIdAsConfigured(@Argument(0) long number) {
		return "orders/" + number + "-A";
	}

	public static boolean directlyOnTopOfAnything() {
		return true;
	}

	public static boolean directlyOnTopByNumber(@This ReservedRange range, @Argument(0) ReservedRange other) {
		return range.min() == other.max() + 1;
	}

	public static boolean directlyOnTopByGrant(@This ReservedRange range, @Argument(0) ReservedRange other) {
		return range.grants().size() > 1 && other.grants().indexOf(range.grants().get(1)) == 0;
	}

	static void resetNothing() {
	}

	static void resetAllButTheRequest(@This SequenceState state, @SuperCall Runnable reset) {
		Object operation = get(state, "operation");
		reset.run();
		set(state, "operation", operation);
	}

	static void useALateAnswer(@This SequenceState state, @Argument(0) Object operation, @SuperCall Runnable reserved) {
		set(state, "operation", operation);
		reserved.run();
	}

	static void sendWhateverIsInFlight(@This SequenceState state, @SuperCall Runnable startNext) {
		set(state, "operation", null);
		startNext.run();
	}

	static void keepWhatIsLate() {
	}

	static long endWithoutSealing(@FieldValue("current") RangeCursor current) {
		return current.lastTaken();
	}

	@RuntimeType
	static Object sealAllButTheNext(@This HeldRanges sequence, @SuperCall Callable<?> sealAll) throws Exception {
		Object next = get(sequence, "next");
		Object dropped = sealAll.call();
		set(sequence, "next", next);
		return dropped;
	}

	static long forgetWhatWasIssued(@This HeldRanges sequence, @SuperCall Callable<Long> seal) throws Exception {
		long last = seal.call();
		set(sequence, "lastIssued", 0L);
		return last;
	}

	static RangeCursor restStartsTooEarly(@Argument(0) RangeCursor cursor) {
		return cursor.rest(cursor.end(), cursor.range().max() - cursor.end() + 1);
	}

	static void serveAllTheSame(@Argument(2) Object step, @SuperCall Runnable serve) {
		serve.run();
		List<?> served = (List<?>) Objects.requireNonNull(get(step, "served"));
		for (Object waiter : served) {
			set(waiter, "block", get(served.get(0), "block"));
		}
	}

	static long serveWhoCameLater() {
		return 0;
	}

	static void resetNoCopy() {
	}

	static boolean settleAgain() {
		return true;
	}

	private static @Nullable Object get(Object target, String field) {
		return ReflectionTestUtils.getField(target, field);
	}

	private static void set(Object target, String field, @Nullable Object value) {
		ReflectionTestUtils.setField(target, field, value);
	}

}

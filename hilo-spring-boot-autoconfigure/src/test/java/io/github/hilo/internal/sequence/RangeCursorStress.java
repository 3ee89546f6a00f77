package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.github.hilo.internal.store.ReservedRange;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * What threads may see that meet at a {@link RangeCursor}. Numbers are counted from the
 * first of the range, as 1; 0 says that there was none. Every other outcome fails
 * {@link StressTests}.
 */
public final class RangeCursorStress {

	private RangeCursorStress() {
	}

	/**
	 * Two takers, and three numbers for their four takes.
	 */
	@JCStressTest
	@Outcome(id = { "1, 2, 3, 0", "3, 0, 1, 2" }, expect = Expect.ACCEPTABLE, desc = "One after the other.")
	@Outcome(id = { "1, 3, 2, 0", "1, 0, 2, 3", "2, 3, 1, 0", "2, 0, 1, 3" }, expect = Expect.ACCEPTABLE,
			desc = "By turns, and the last number goes to one of them.")
	@State
	public static class TakeAgainstTakeOfTheLast {

		private final Range range = new Range(3);

		@Actor
		public void one(JJJJ_Result result) {
			result.r1 = this.range.take();
			result.r2 = this.range.take();
		}

		@Actor
		public void other(JJJJ_Result result) {
			result.r3 = this.range.take();
			result.r4 = this.range.take();
		}

	}

	/**
	 * A taker, and somebody who ends the range to return the rest of it.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 0, 0", "1, 0, 1, 0", "1, 2, 2, 0" }, expect = Expect.ACCEPTABLE,
			desc = "The seal reports exactly what was taken, and nothing is taken after it.")
	@State
	public static class TakeAgainstSeal {

		private final Range range = new Range(3);

		@Actor
		public void taker(JJJJ_Result result) {
			result.r1 = this.range.take();
			result.r2 = this.range.take();
		}

		@Actor
		public void sealer(JJJJ_Result result) {
			result.r3 = this.range.seal();
		}

		@Arbiter
		public void afterwards(JJJJ_Result result) {
			result.r4 = this.range.take();
		}

	}

	/**
	 * A taker of one number, and one of two at once, of which three are there.
	 */
	@JCStressTest
	@Outcome(id = { "1, 2", "3, 1" }, expect = Expect.ACCEPTABLE, desc = "One after the other.")
	@State
	public static class TakeAgainstTakeAll {

		private final Range range = new Range(3);

		@Actor
		public void one(JJ_Result result) {
			result.r1 = this.range.take();
		}

		@Actor
		public void both(JJ_Result result) {
			result.r2 = this.range.takeAll(2);
		}

	}

	/**
	 * A taker of several numbers at once, and somebody who ends the range.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0, 0", "1, 0, 2", "1, 3, 4" }, expect = Expect.ACCEPTABLE,
			desc = "The seal reports exactly what was taken.")
	@State
	public static class TakeAllAgainstSeal {

		private final Range range = new Range(5);

		@Actor
		public void taker(JJJ_Result result) {
			result.r1 = this.range.takeAll(2);
			result.r2 = this.range.takeAll(2);
		}

		@Actor
		public void sealer(JJJ_Result result) {
			result.r3 = this.range.seal();
		}

	}

	/**
	 * A range at either end of what a {@code long} can count.
	 */
	private static final class Range {

		private final long before;

		private final RangeCursor cursor;

		Range(long size) {
			this.before = ThreadLocalRandom.current().nextBoolean() ? 0 : Long.MAX_VALUE - size;
			this.cursor = new RangeCursor(
					RangeCursorTests.held(new ReservedRange(this.before + 1, this.before + size, "", List.of("grant"))),
					this.before + 1, size);
		}

		long take() {
			return fromFirst(this.cursor.take());
		}

		long takeAll(int count) {
			return fromFirst(this.cursor.takeAll(count));
		}

		private long fromFirst(long number) {
			return (number != RangeCursor.NONE) ? number - this.before : 0;
		}

		long seal() {
			return this.cursor.seal() - this.before;
		}

	}

}

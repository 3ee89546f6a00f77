package io.github.hilo.internal.sequence;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * What a caller may see that gives up while its number is on the way. Every other outcome
 * fails {@link StressTests}.
 */
public final class WaiterStress {

	private WaiterStress() {
	}

	/**
	 * The same with a whole sequence, and somebody who takes the next number.
	 */
	@JCStressTest
	@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The caller gets its number, and the next goes on.")
	@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The caller has left, and its number goes to the next.")
	@State
	public static class AnswerAgainstGivingUp {

		private final StressedSequence sequence = new StressedSequence(2, false);

		private final Waiter waiter;

		public AnswerAgainstGivingUp() {
			this.sequence.store().hold();
			this.waiter = this.sequence.get().ask(new Waiter(1, null, null));
		}

		@Actor
		public void store() {
			this.sequence.store().answer();
		}

		@Actor
		public void caller(JJ_Result result) {
			result.r1 = this.sequence.fromFirst(numberOrNone(this.waiter));
		}

		@Arbiter
		public void next(JJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

	}

	private static long numberOrNone(Waiter waiter) {
		return waiter.settle() ? RangeCursor.NONE : waiter.answer().join().first();
	}

}

package io.github.hilo.internal.sequence;

import io.github.hilo.internal.store.TimeSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * What threads may see that meet at a {@link RangeSequence} whose range ends, is given
 * back or is forgotten. Numbers are counted from the first of the sequence, as 1. Every
 * other outcome fails {@link StressTests}.
 */
public final class RangeSequenceStress {

	private RangeSequenceStress() {
	}

	/**
	 * Two takers, of whom one publishes the range that follows the last number.
	 */
	@JCStressTest
	@Outcome(id = { "2, 3, 4", "3, 2, 4" }, expect = Expect.ACCEPTABLE, desc = "Numbers go on in the next range.")
	@State
	public static class TakeAgainstPublish {

		private final StressedSequence sequence = new StressedSequence(2, false, 1);

		@Actor
		public void one(JJJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void other(JJJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

		@Arbiter
		public void afterwards(JJJ_Result result) {
			result.r3 = this.sequence.nextId();
		}

	}

	/**
	 * Two takers at the half of a busy sequence's range, where its next one is requested.
	 */
	@JCStressTest
	@Outcome(id = { "4, 5, 7", "5, 4, 7" }, expect = Expect.ACCEPTABLE,
			desc = "Numbers go on in the other half, and in the next range.")
	@State
	public static class TakeAgainstPrefetch {

		private final StressedSequence sequence = new StressedSequence(2, true, 3);

		@Actor
		public void one(JJJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void other(JJJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

		@Arbiter
		public void afterwards(JJJ_Result result) {
			this.sequence.nextId();
			result.r3 = this.sequence.nextId();
		}

	}

	/**
	 * A taker of two numbers, of which the first ends a segment, against a taker of one.
	 */
	@JCStressTest
	@Outcome(id = "7, 8, 9", expect = Expect.ACCEPTABLE, desc = "The block came first.")
	@Outcome(id = "8, 9, 7", expect = Expect.ACCEPTABLE, desc = "The single number came first.")
	@State
	public static class BlockAgainstTake {

		private final StressedSequence sequence = new StressedSequence(4, true, 6);

		@Actor
		public void block(JJJ_Result result) {
			long[] block = this.sequence.get().placed(null).nextIds(2);
			result.r1 = this.sequence.fromFirst(block[0]);
			result.r2 = this.sequence.fromFirst(block[1]);
		}

		@Actor
		public void single(JJJ_Result result) {
			result.r3 = this.sequence.nextId();
		}

	}

	/**
	 * Two takers of document ids, with a prefix that changes from range to range.
	 */
	@JCStressTest
	@Outcome(id = { "orders/North/2-A, orders/South/3-A", "orders/South/3-A, orders/North/2-A" },
			expect = Expect.ACCEPTABLE, desc = "A document id has the prefix of the range that its number is from.")
	@State
	public static class DocumentIdAgainstPublish {

		private final StressedSequence sequence = new StressedSequence(2, false, 0);

		public DocumentIdAgainstPublish() {
			this.sequence.store().serverPrefix("North/");
			this.sequence.nextId();
			this.sequence.store().serverPrefix("South/");
		}

		@Actor
		public void one(LL_Result result) {
			result.r1 = this.sequence.nextDocumentId();
		}

		@Actor
		public void other(LL_Result result) {
			result.r2 = this.sequence.nextDocumentId();
		}

	}

	/**
	 * A taker, and a release of what it takes from.
	 */
	@JCStressTest
	@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "No number is lost, and none is repeated.")
	@State
	public static class TakeAgainstRelease {

		private final StressedSequence sequence = new StressedSequence(4, false, 1);

		@Actor
		public void taker(JJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void releaser() {
			this.sequence.release();
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

	}

	/**
	 * A taker, and the end of the generator.
	 */
	@JCStressTest
	@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "A number that was issued is not returned.")
	@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "A taker that came too late costs no number.")
	@State
	public static class TakeAgainstClose {

		private final StressedSequence sequence = new StressedSequence(4, false, 1);

		@Actor
		public void taker(JJ_Result result) {
			try {
				result.r1 = this.sequence.nextId();
			}
			catch (IllegalStateException closed) {
				result.r1 = 0;
			}
		}

		@Actor
		public void closer() {
			this.sequence.close();
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			result.r2 = this.sequence.max();
		}

	}

	/**
	 * A taker, and the end of a pause, after which nothing is used that was held before.
	 */
	@JCStressTest
	@Outcome(id = "2, 5", expect = Expect.ACCEPTABLE, desc = "The number was issued before everything was forgotten.")
	@Outcome(id = "5, 6", expect = Expect.ACCEPTABLE, desc = "The number was issued after everything was forgotten.")
	@State
	public static class TakeAgainstReset {

		private final StressedSequence sequence = new StressedSequence(4, false, 1);

		@Actor
		public void taker(JJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void forgetter() {
			this.sequence.get().reset();
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

	}

	/**
	 * The application chooses a number of the range's other half, which is published
	 * meanwhile.
	 */
	@JCStressTest
	@Outcome(id = "8, 10", expect = Expect.ACCEPTABLE, desc = "The number that was chosen is excluded.")
	@State
	public static class ChooseAgainstTake {

		private final StressedSequence sequence = new StressedSequence(4, true, 7);

		@Actor
		public void chooser() {
			this.sequence.choose(9);
		}

		@Actor
		public void taker(JJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

	}

	/**
	 * The application chooses the next number but one, while the next is taken.
	 */
	@JCStressTest
	@Outcome(id = "2, 4", expect = Expect.ACCEPTABLE, desc = "The number that was chosen is excluded.")
	@State
	public static class ChooseNextAgainstTake {

		private final StressedSequence sequence = new StressedSequence(8, false, 1);

		@Actor
		public void chooser() {
			this.sequence.choose(3);
		}

		@Actor
		public void taker(JJ_Result result) {
			result.r1 = this.sequence.nextId();
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

	}

	/**
	 * Two threads choose one number. For the second one it is excluded already, so its
	 * save goes on without the lock.
	 */
	@JCStressTest
	@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "The number that was chosen is excluded.")
	@State
	public static class ChooseTwice {

		private final StressedSequence sequence = new StressedSequence(8, false, 1);

		@Actor
		public void chooser() {
			this.sequence.choose(2);
		}

		@Actor
		public void chooserAndTaker(J_Result result) {
			this.sequence.choose(2);
			result.r1 = this.sequence.nextId();
		}

	}

	/**
	 * The application chooses a number, while the range that has it arrives.
	 */
	@JCStressTest
	@Outcome(id = { "1, 3", "3, 1" }, expect = Expect.ACCEPTABLE, desc = "The number that was chosen is excluded.")
	@State
	public static class ChooseAgainstArrival {

		private final StressedSequence sequence = new StressedSequence(8, false, 0);

		@Actor
		public void chooser(JJ_Result result) {
			this.sequence.choose(2);
			result.r1 = this.sequence.nextId();
		}

		@Actor
		public void taker(JJ_Result result) {
			result.r2 = this.sequence.nextId();
		}

	}

	/**
	 * Two threads choose numbers, and join intervals.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "All are remembered.")
	@State
	public static class ChooseNeighbours {

		private final ChosenNumbers chosen = ChosenInTests.of(TimeSource.SYSTEM);

		public ChooseNeighbours() {
			this.chosen.add(1);
			this.chosen.add(4);
		}

		@Actor
		public void one() {
			this.chosen.add(2);
			this.chosen.add(3);
		}

		@Actor
		public void other() {
			this.chosen.add(2);
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			Intervals all = new Intervals();
			this.chosen.addTo(all, 1, 10);
			result.r1 = all.size();
			result.r2 = (all.count() == 4) ? 1 : 0;
		}

	}

	/**
	 * The application chooses a number, while its range goes back and comes again.
	 */
	@JCStressTest
	@Outcome(id = "2, 4", expect = Expect.ACCEPTABLE, desc = "The range went back before the number was chosen.")
	@Outcome(id = "4, 5", expect = Expect.ACCEPTABLE, desc = "What goes back begins above the chosen number.")
	@State
	public static class ChooseAgainstRelease {

		private final StressedSequence sequence = new StressedSequence(4, false, 1);

		@Actor
		public void chooser() {
			this.sequence.choose(3);
		}

		@Actor
		public void releaser() {
			this.sequence.release();
		}

		@Arbiter
		public void afterwards(JJ_Result result) {
			result.r1 = this.sequence.nextId();
			result.r2 = this.sequence.nextId();
		}

	}

	/**
	 * Two callers in a place that becomes known late, where a number is stored.
	 */
	@JCStressTest
	@Outcome(id = { "4, 5", "5, 4" }, expect = Expect.ACCEPTABLE, desc = "Numbers go on behind the stored one.")
	@State
	public static class CoverAgainstTake {

		private final StressedSequence sequence = new StressedSequence(8, false, 1);

		public CoverAgainstTake() {
			this.sequence.store(3);
		}

		@Actor
		public void one(JJ_Result result) {
			result.r1 = this.sequence.nextIdForArchive();
		}

		@Actor
		public void other(JJ_Result result) {
			result.r2 = this.sequence.nextIdWhereArchiveIsKnown();
		}

	}

	/**
	 * A caller gives up while its number is on the way, and somebody takes the next one.
	 */
	@JCStressTest
	@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The caller gets its number, and the next goes on.")
	@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The caller has left, and its number goes to the next.")
	@State
	public static class AnswerAgainstGivingUp {

		private final StressedSequence sequence = new StressedSequence(2, false, 0);

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
			result.r1 = this.waiter.settle() ? 0 : this.sequence.fromFirst(this.waiter.answer().join().first());
		}

		@Arbiter
		public void next(JJ_Result result) {
			this.sequence.store().answerAll();
			result.r2 = this.sequence.nextId();
		}

	}

}

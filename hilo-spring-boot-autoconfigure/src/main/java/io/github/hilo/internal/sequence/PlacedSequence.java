package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * A sequence for callers whose ids go to one place, or who have none. They get only
 * numbers of ranges that are covered there or, without a place, in all places that are
 * known when they arrive. If the place has texts and a caller takes a number, or the
 * reverse, the id cannot be stored in that place, so the caller has none.
 * <p>
 * A call for one number takes it without a lock if the cursor has it. Otherwise a caller
 * of {@link HiLoSequence} waits. A caller of {@link #request} or {@link #requestRaise}
 * does not, because its thread may be an event loop: another thread takes the lock for
 * it.
 * <p>
 * Thread-safe: {@code claimed} is volatile, and the other fields are final, but for
 * {@code lastCovered}. That one is only compared, so a stale value is harmless: whichever
 * thread wrote it had seen that its range is covered in the place, and a range stays
 * covered.
 */
public final class PlacedSequence implements HiLoSequence {

	private final RangeSequence sequence;

	// Or null if it is not known.
	private final @Nullable Place place;

	// The store of callers who bring none, or null for that of the sequence.
	private final @Nullable RangeStore store;

	private final Places places;

	// Where numbers and texts go, or null if it is not known.
	private final @Nullable Place ofNumbers;

	private final @Nullable Place ofTexts;

	// Whether no other counter can issue numbers for the place any more.
	private volatile boolean claimed;

	// The last cursor whose range was covered in the place.
	private RangeCursor lastCovered = RangeCursor.EMPTY;

	/**
	 * @param places the places of the sequence, none if it is not checked
	 */
	PlacedSequence(RangeSequence sequence, Places places, @Nullable Place place, @Nullable RangeStore store) {
		this.sequence = sequence;
		this.places = places;
		this.place = place;
		this.store = store;
		this.ofNumbers = (place != null && place.form() == IdForm.NUMBER) ? place : null;
		this.ofTexts = (place != null && place.form() == IdForm.TEXT) ? place : null;
	}

	/**
	 * Returns the same sequence for a handle, whose callers all bring one store.
	 */
	public PlacedSequence through(RangeStore brought) {
		return new PlacedSequence(this.sequence, this.places, this.place, brought);
	}

	/**
	 * Records that no other counter can issue numbers for the place any more.
	 */
	public void claimedForGood() {
		if (!this.claimed) {
			this.claimed = true;
		}
	}

	boolean isClaimed() {
		return this.claimed;
	}

	boolean goesTo(@Nullable Place other) {
		return Objects.equals(other, this.place);
	}

	@Override
	public long nextId() {
		return nextId(null, null);
	}

	@Override
	public String nextDocumentId() {
		return nextDocumentId(null, null);
	}

	@Override
	public long[] nextIds(int count) {
		return nextIds(count, this.sequence.deadline(), null);
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return nextDocumentIds(count, this.sequence.deadline(), null);
	}

	@Override
	public long ensureAtLeast(long floor) {
		return ensureAtLeast(floor, this.sequence.deadline(), null);
	}

	/**
	 * Takes a number.
	 * @param deadline the deadline of the call, or {@code null} if it begins now
	 * @param brought through which commands are sent if no number is at hand
	 */
	public long nextId(@Nullable Deadline deadline, @Nullable RangeStore brought) {
		long number = cursor(IdForm.NUMBER).take();
		return (number != RangeCursor.NONE) ? number : await(1, IdForm.NUMBER, deadline, brought).first();
	}

	public String nextDocumentId(@Nullable Deadline deadline, @Nullable RangeStore brought) {
		RangeCursor cursor = cursor(IdForm.TEXT);
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? cursor.documentId(number)
				: await(1, IdForm.TEXT, deadline, brought).firstDocumentId();
	}

	public long[] nextIds(int count, Deadline deadline, @Nullable RangeStore brought) {
		return await(count, IdForm.NUMBER, deadline, brought).numbers();
	}

	public List<String> nextDocumentIds(int count, Deadline deadline, @Nullable RangeStore brought) {
		return await(count, IdForm.TEXT, deadline, brought).documentIds();
	}

	public long ensureAtLeast(long floor, Deadline deadline, @Nullable RangeStore brought) {
		deadline.enter(Deadline.Phase.RAISE);
		return LatchWait.await(this.sequence.raise(Arguments.requireFloor(floor), orOwn(brought)), deadline,
				(why, cause) -> this.sequence.notRaised(floor, why, cause));
	}

	/**
	 * Requests numbers without blocking.
	 * @param form what the ids will be
	 * @param askers publishes the numbers of each thread in the order of its calls
	 * @return a future; a caller that cancels it leaves the queue
	 */
	public CompletableFuture<Waiter> request(int count, IdForm form, Deadline deadline, @Nullable RangeStore brought,
			Askers askers) {
		Waiter waiter = waiter(count, form, deadline, orOwn(brought));
		Asker earlier = askers.current();
		if ((earlier != null && earlier.isAsking()) || !waiter.takeAllFrom(cursor(form))) {
			return this.sequence.request(waiter, askers.addCall());
		}
		return (earlier != null && earlier.isPublishing()) ? this.sequence.answerLater(waiter, askers.addCall())
				: CompletableFuture.completedFuture(waiter);
	}

	/**
	 * Raises the counter without blocking, as {@link #request} requests numbers. A call
	 * that is cancelled or fails before the raise is sent raises nothing.
	 */
	public CompletableFuture<Long> requestRaise(long floor, Deadline deadline, RangeStore brought) {
		Arguments.requireFloor(floor);
		deadline.enter(Deadline.Phase.RAISE);
		return this.sequence.requestRaise(floor, brought);
	}

	private Waiter await(int count, IdForm form, @Nullable Deadline deadline, @Nullable RangeStore brought) {
		Deadline limit = (deadline != null) ? deadline : this.sequence.deadline();
		return this.sequence.await(waiter(count, form, limit, orOwn(brought)), limit);
	}

	private @Nullable RangeStore orOwn(@Nullable RangeStore brought) {
		return (brought != null) ? brought : this.store;
	}

	private Waiter waiter(int count, IdForm form, Deadline deadline, @Nullable RangeStore brought) {
		Place goesTo = placeOf(form);
		int upTo = (goesTo != null) ? 0 : this.sequence.placesToCover();
		return new Waiter(Arguments.requireCount(count), goesTo, upTo, deadline, brought);
	}

	/**
	 * Returns the cursor from which a caller may take without waiting: an empty one if
	 * its range is not covered in the place or, for a caller without a place, in all that
	 * are known.
	 */
	RangeCursor cursor(IdForm form) {
		RangeCursor current = this.sequence.current();
		Place goesTo = placeOf(form);
		boolean usual = goesTo != null || this.place == null;
		boolean seen = usual && current == this.lastCovered;
		HeldRange held = current.held();
		if (!((goesTo != null) ? seen || held.isCoveredIn(goesTo) : held.isCoveredUpTo(this.places.required()))) {
			return RangeCursor.EMPTY;
		}
		if (!seen && held.range().size() > 0) {
			held.use(goesTo, current.min());
			if (usual) {
				this.lastCovered = current;
			}
		}
		return current;
	}

	private @Nullable Place placeOf(IdForm form) {
		return (form == IdForm.NUMBER) ? this.ofNumbers : this.ofTexts;
	}

}

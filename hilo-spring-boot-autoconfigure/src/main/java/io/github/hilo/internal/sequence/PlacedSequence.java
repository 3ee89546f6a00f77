package io.github.hilo.internal.sequence;

import java.util.List;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A sequence for callers whose ids go to one place, if that is known. They get only
 * numbers that no document has in that place. If the place has texts and a caller takes a
 * number, or the reverse, the id cannot be stored there, so any number will do.
 * <p>
 * Thread-safe: {@code known} is volatile, and the other fields are final. A range that is
 * free in a place stays so, so a cursor in {@code known} need not be looked at again.
 */
public final class PlacedSequence implements HiLoSequence {

	private final RangeSequence sequence;

	private final @Nullable Place place;

	// The last cursor whose range was free in the place.
	private volatile RangeCursor known = RangeCursor.EMPTY;

	PlacedSequence(RangeSequence sequence, @Nullable Place place) {
		this.sequence = sequence;
		this.place = place;
	}

	RangeSequence sequence() {
		return this.sequence;
	}

	boolean isOf(Place place) {
		return place.equals(this.place);
	}

	@Override
	public long nextId() {
		return nextId(null);
	}

	@Override
	public String nextDocumentId() {
		return nextDocumentId(null);
	}

	@Override
	public long[] nextIds(int count) {
		return nextIds(count, null);
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return nextDocumentIds(count, null);
	}

	@Override
	public long ensureAtLeast(long floor) {
		return ensureAtLeast(floor, null);
	}

	public long nextId(@Nullable Deadline deadline) {
		long number = cursor(false).take();
		return (number != RangeCursor.NONE) ? number : this.sequence.await(1, placeOf(false), deadline).first();
	}

	public String nextDocumentId(@Nullable Deadline deadline) {
		RangeCursor cursor = cursor(true);
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? cursor.documentId(number)
				: this.sequence.await(1, placeOf(true), deadline).firstDocumentId();
	}

	public long[] nextIds(int count, @Nullable Deadline deadline) {
		return this.sequence.await(Arguments.requireCount(count), placeOf(false), deadline).numbers();
	}

	public List<String> nextDocumentIds(int count, @Nullable Deadline deadline) {
		return this.sequence.await(Arguments.requireCount(count), placeOf(true), deadline).documentIds();
	}

	public long ensureAtLeast(long floor, @Nullable Deadline deadline) {
		return this.sequence.ensureAtLeast(floor, deadline);
	}

	/**
	 * Returns the cursor from which a caller may take without waiting: an empty one if
	 * its range is not known to be free in the place.
	 */
	RangeCursor cursor(boolean text) {
		RangeCursor cursor = this.sequence.current();
		return (cursor == this.known || isFree(cursor, placeOf(text))) ? cursor : RangeCursor.EMPTY;
	}

	private boolean isFree(RangeCursor cursor, @Nullable Place goesTo) {
		boolean free = cursor.held().isFreeIn(goesTo);
		if (free && goesTo != null) {
			this.known = cursor;
		}
		return free;
	}

	@Nullable Place placeOf(boolean text) {
		return (this.place != null && this.place.text() == text) ? this.place : null;
	}

}

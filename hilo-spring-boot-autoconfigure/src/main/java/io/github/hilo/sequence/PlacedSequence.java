package io.github.hilo.sequence;

import java.util.List;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoSequence;
import io.github.hilo.store.Deadline;
import io.github.hilo.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A sequence whose ids go to one place: callers get those that no document has there. Ids
 * of the other form than the place's cannot go there, and are not confirmed. Internal.
 * <p>
 * How it is safe: it keeps what the range in use knows of the place, so that a call
 * compares two values. What it keeps is only used for numbers of that range.
 *
 * @hidden
 */
public final class PlacedSequence implements HiLoSequence {

	private final RangeSequence sequence;

	private final Place place;

	private volatile FreePlace known = FreePlace.NOWHERE;

	PlacedSequence(RangeSequence sequence, Place place) {
		this.sequence = sequence;
		this.place = place;
	}

	boolean isOf(Place place) {
		return this.place.equals(place);
	}

	@Override
	public long nextId() {
		return nextId(null);
	}

	@Override
	public String nextDocumentId() {
		return nextDocumentId(null);
	}

	/**
	 * Issues the next number.
	 * @param deadline by when the call must have ended, or {@code null} if it begins now
	 */
	public long nextId(@Nullable Deadline deadline) {
		RangeCursor cursor = this.sequence.current();
		long number = cursor.take();
		return (number != RangeCursor.NONE && (this.place.text() || isFree(cursor, number))) ? number
				: free(cursor, number, !this.place.text(), deadline).first();
	}

	/**
	 * Issues the next document id.
	 * @param deadline by when the call must have ended, or {@code null} if it begins now
	 */
	public String nextDocumentId(@Nullable Deadline deadline) {
		RangeCursor cursor = this.sequence.current();
		long number = cursor.take();
		return (number != RangeCursor.NONE && (!this.place.text() || isFree(cursor, number)))
				? cursor.documentId(number) : free(cursor, number, this.place.text(), deadline).firstDocumentId();
	}

	private boolean isFree(RangeCursor cursor, long number) {
		FreePlace free = this.known;
		if (free.range != cursor.held().places()) {
			free = cursor.held().places().in(this.place).use();
			this.known = free;
		}
		return free.isFree(number);
	}

	@Override
	public long[] nextIds(int count) {
		return this.sequence.await(null, Arguments.requireCount(count), placeOf(!this.place.text()), null).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return this.sequence.await(null, Arguments.requireCount(count), placeOf(this.place.text()), null).documentIds();
	}

	@Override
	public long ensureAtLeast(long floor) {
		return this.sequence.ensureAtLeast(floor);
	}

	private NumberBlock free(RangeCursor cursor, long number, boolean confirmed, @Nullable Deadline deadline) {
		return this.sequence.await((number != RangeCursor.NONE) ? NumberBlock.of(cursor.held(), number) : null, 1,
				placeOf(confirmed), deadline);
	}

	private @Nullable Place placeOf(boolean confirmed) {
		return confirmed ? this.place : null;
	}

}

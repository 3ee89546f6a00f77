package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.Objects;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A sequence whose ids go to one place, if that is known: callers get those that no
 * document has there. Ids of the other form than the place's cannot go there, and are not
 * confirmed.
 * <p>
 * How it is safe: it keeps what the range in use knows of the place, so that a call
 * compares two values. What it keeps is only used for numbers of that range.
 */
public final class PlacedSequence implements HiLoSequence {

	private final RangeSequence sequence;

	private final @Nullable Place place;

	private volatile FreePlace known = FreePlace.NOWHERE;

	PlacedSequence(RangeSequence sequence, @Nullable Place place) {
		this.sequence = sequence;
		this.place = place;
	}

	RangeSequence sequence() {
		return this.sequence;
	}

	boolean isOf(@Nullable Place place) {
		return Objects.equals(this.place, place);
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
		RangeSequence sequence = this.sequence;
		Place goesTo = placeOf(false);
		RangeCursor cursor = sequence.current();
		long number = cursor.take();
		if (isFree(cursor, number, goesTo)) {
			sequence.taken(deadline);
			return number;
		}
		return sequence.await(taken(cursor, number), 1, goesTo, deadline).first();
	}

	public String nextDocumentId(@Nullable Deadline deadline) {
		RangeSequence sequence = this.sequence;
		Place goesTo = placeOf(true);
		RangeCursor cursor = sequence.current();
		long number = cursor.take();
		if (isFree(cursor, number, goesTo)) {
			sequence.taken(deadline);
			return cursor.documentId(number);
		}
		return sequence.await(taken(cursor, number), 1, goesTo, deadline).firstDocumentId();
	}

	public long[] nextIds(int count, @Nullable Deadline deadline) {
		return this.sequence.await(null, Arguments.requireCount(count), placeOf(false), deadline).numbers();
	}

	public List<String> nextDocumentIds(int count, @Nullable Deadline deadline) {
		return this.sequence.await(null, Arguments.requireCount(count), placeOf(true), deadline).documentIds();
	}

	public long ensureAtLeast(long floor, @Nullable Deadline deadline) {
		return this.sequence.ensureAtLeast(floor, deadline);
	}

	/**
	 * Whether a cursor has given a number, and it is known to be free where it goes.
	 */
	boolean isFree(RangeCursor cursor, long number, @Nullable Place goesTo) {
		if (number == RangeCursor.NONE) {
			return false;
		}
		if (goesTo == null) {
			return true;
		}
		FreePlace free = this.known;
		if (free.range != cursor.held().places()) {
			free = cursor.held().places().in(goesTo).use();
			this.known = free;
		}
		return free.isFree(number);
	}

	static @Nullable NumberBlock taken(RangeCursor cursor, long number) {
		return (number != RangeCursor.NONE) ? NumberBlock.of(cursor.held(), number) : null;
	}

	@Nullable Place placeOf(boolean text) {
		return (this.place != null && this.place.text() == text) ? this.place : null;
	}

}

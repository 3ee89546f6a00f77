package io.github.hilo.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.hilo.HiLoSequence;
import io.github.hilo.sequence.CallLimit;
import io.github.hilo.sequence.RangeSequence;
import io.github.hilo.store.FreeNumbers;
import io.github.hilo.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A sequence whose ids go to one place: callers get those that no document has there. Ids
 * of the other form than the place's cannot go there, and are not confirmed.
 *
 * @param sequence where ids come from
 * @param place where they go
 * @param known what is known of the ids that are free there
 */
record PlacedSequence(RangeSequence sequence, Place place, FreeNumbers known) implements HiLoSequence {

	static PlacedSequence of(RangeSequence sequence, Place place) {
		return new PlacedSequence(sequence, place, sequence.placed(place));
	}

	@Override
	public long nextId() {
		long number = this.sequence.take();
		return (number != RangeSequence.NONE && (this.place.text() || this.known.isFree(number))) ? number
				: free((number != RangeSequence.NONE) ? number : null, this.sequence::nextId);
	}

	@Override
	public String nextDocumentId() {
		String id = this.sequence.takeDocumentId();
		return (id != null && (!this.place.text() || this.known.isFree(id))) ? id
				: free(id, this.sequence::nextDocumentId);
	}

	@Override
	public long[] nextIds(int count) {
		return free(null, () -> this.sequence.nextIds(count));
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return free(null, () -> this.sequence.nextDocumentIds(count));
	}

	@Override
	public long ensureAtLeast(long floor) {
		return this.sequence.ensureAtLeast(floor);
	}

	/**
	 * Takes what is free, within one time limit.
	 * @param taken what was taken already, or {@code null}
	 */
	private <T> T free(@Nullable T taken, Supplier<T> take) {
		return CallLimit.within(this.sequence.timeout(), () -> FreeIds.confirmed(this.sequence.name(),
				(taken != null) ? taken : take.get(), this::confirm, take, this.sequence.timeout()));
	}

	/**
	 * Whether it is known that ids are free.
	 * @param issued a number, a document id or a block of them
	 */
	boolean isFree(Object issued) {
		return open(issued, 0) < 0;
	}

	/**
	 * Confirms ids that were issued: each confirms those behind it, too, as far as it
	 * can.
	 * @param issued a number, a document id or a block of them
	 * @return whether they are free
	 */
	CompletionStage<Boolean> confirm(Object issued) {
		return confirm(issued, 0);
	}

	private CompletionStage<Boolean> confirm(Object issued, int first) {
		int open = open(issued, first);
		return (open < 0) ? FreeIds.FREE : this.sequence.confirm(this.place, at(issued, open)).thenCompose((free) -> {
			// A block whose range was forgotten meanwhile is taken again: otherwise each
			// of its ids would take a find.
			boolean known = open + 1 == count(issued) || this.known.isFree(at(issued, open));
			return (free && known) ? confirm(issued, open + 1) : CompletableFuture.completedFuture(false);
		});
	}

	/**
	 * Finds the first id that is not known to be free, or answers -1.
	 */
	private int open(Object issued, int first) {
		boolean text = issued instanceof String || issued instanceof List;
		int count = count(issued);
		for (int i = (text == this.place.text()) ? first : count; i < count; i++) {
			if (!this.known.isFree(at(issued, i))) {
				return i;
			}
		}
		return -1;
	}

	private static int count(Object issued) {
		return (issued instanceof long[] numbers) ? numbers.length : (issued instanceof List<?> ids) ? ids.size() : 1;
	}

	private static Object at(Object issued, int i) {
		return (issued instanceof long[] numbers) ? (Object) numbers[i]
				: (issued instanceof List<?> ids) ? ids.get(i) : issued;
	}

}

package io.github.hilo.engine;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import io.github.hilo.HiLoSequence;
import io.github.hilo.store.Place;
import io.github.hilo.store.StoredPlace;

/**
 * A sequence whose ids go to one place: callers get those that no document has there. Ids
 * of the other form than the place's cannot go there, and are not confirmed.
 *
 * @param sequence where ids come from
 * @param place where they go
 * @param known what is known of the ids that are free there
 */
record PlacedSequence(RangeSequence sequence, Place place, StoredPlace known) implements HiLoSequence {

	static PlacedSequence of(RangeSequence sequence, Place place) {
		return new PlacedSequence(sequence, place, sequence.placed(place));
	}

	@Override
	public long nextId() {
		long number = this.sequence.nextId();
		return (this.place.text() || this.known.isFree(number)) ? number : free(number, this.sequence::nextId);
	}

	@Override
	public String nextDocumentId() {
		return free(this.sequence.nextDocumentId(), this.sequence::nextDocumentId);
	}

	@Override
	public long[] nextIds(int count) {
		return free(this.sequence.nextIds(count), () -> this.sequence.nextIds(count));
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return free(this.sequence.nextDocumentIds(count), () -> this.sequence.nextDocumentIds(count));
	}

	@Override
	public long ensureAtLeast(long floor) {
		return this.sequence.ensureAtLeast(floor);
	}

	private <T> T free(T issued, Supplier<T> again) {
		return FreeIds.confirmed(this.sequence.name(), issued, this::confirm, this::ensureAtLeast, again);
	}

	/**
	 * Confirms ids that were issued.
	 * @param issued a number, a document id or a block of them
	 * @return 0 if they are free, or else up to which number none must be used
	 */
	CompletionStage<Long> confirm(Object issued) {
		if (issued instanceof Long number) {
			return confirm(false, 1, (i) -> number);
		}
		if (issued instanceof String id) {
			return confirm(true, 1, (i) -> id);
		}
		return (issued instanceof long[] numbers) ? confirm(false, numbers.length, (i) -> numbers[i])
				: confirm(true, ((List<?>) issued).size(), ((List<?>) issued)::get);
	}

	private CompletionStage<Long> confirm(boolean text, int count, IntFunction<Object> issued) {
		return (text != this.place.text()) ? FreeIds.FREE
				: FreeIds.confirmAll(0, count, issued, this.known, (id) -> this.sequence.confirm(this.place, id));
	}

}

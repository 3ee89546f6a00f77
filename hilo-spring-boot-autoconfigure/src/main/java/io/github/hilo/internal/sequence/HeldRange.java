package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * A range that this process holds, and the places where its numbers are free. Held ranges
 * are compared by identity, because numbers that are returned and granted again are
 * another range.
 * <p>
 * Thread-safe: {@code places} is a concurrent map from which no place is removed. The
 * lock of the sequence guards {@code finds}, and all other fields are final.
 */
final class HeldRange {

	private final ReservedRange range;

	private final Instant reservedAt;

	private final DocumentIdFormat format;

	private final String idHead;

	// The head with the zeros that precede most numbers of the range: those from
	// paddedFrom on.
	private final String paddedHead;

	private final long paddedFrom;

	// The places where the range is free, and whether a number was taken for each.
	private final Map<Place, Boolean> places = new ConcurrentHashMap<>();

	// The finds in flight.
	private final Map<Place, Operation.Find> finds = new HashMap<>(0);

	HeldRange(ReservedRange range, Instant reservedAt, DocumentIdFormat format) {
		this.range = range;
		this.reservedAt = reservedAt;
		this.format = format;
		// Ranges without a server prefix share one string.
		this.idHead = range.serverPrefix().isEmpty() ? format.head() : format.head() + range.serverPrefix();
		String zeros = format.zeros(range.max());
		this.paddedHead = zeros.isEmpty() ? this.idHead : this.idHead + zeros;
		this.paddedFrom = format.firstPaddedLike(range.max());
		range.free().forEach(this::foundFree);
	}

	ReservedRange range() {
		return this.range;
	}

	String documentId(long number) {
		String head = (number >= this.paddedFrom) ? this.paddedHead : this.idHead + this.format.zeros(number);
		return head + number + this.format.tail();
	}

	/**
	 * Returns whether the numbers of this range are free in a place. If so, the place is
	 * marked as used, because the caller takes a number next.
	 * @param place where the number will be stored, or {@code null} if any number will do
	 */
	boolean isFreeIn(@Nullable Place place) {
		if (place == null) {
			return true;
		}
		Boolean used = this.places.get(place);
		if (Boolean.FALSE.equals(used)) {
			this.places.put(place, true);
		}
		return used != null;
	}

	/**
	 * Records that the numbers that a cursor of this range can still issue are free in a
	 * place.
	 */
	void foundFree(Place place) {
		this.places.putIfAbsent(place, false);
	}

	Stream<Place> used() {
		return this.places.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey);
	}

	/**
	 * Starts a find for the numbers that are stored in a place, unless one is in flight.
	 * @param first the first number to ask for
	 */
	void find(Place place, long first, Step step) {
		Operation.Find last = this.finds.get(place);
		if (last == null || last.deadline().isOver()) {
			Operation.Find find = new Operation.Find(this, place, first, step.commandDeadline());
			this.finds.put(place, find);
			step.start(find);
		}
	}

	void findEnded(Operation.Find find) {
		this.finds.remove(find.place(), find);
	}

	/**
	 * Returns what a snapshot shows of this range, or {@code null} if it is empty.
	 * @param last the last number that was issued
	 */
	SequenceSnapshot.@Nullable Range show(long last) {
		String prefix = this.range.serverPrefix();
		return (this.range.size() == 0) ? null
				: new SequenceSnapshot.Range(this.range.min(), this.range.max(),
						(last < this.range.min()) ? null : last, this.range.max() - last, this.reservedAt,
						prefix.isEmpty() ? null : prefix);
	}

}

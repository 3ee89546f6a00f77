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
 * A range that this process holds, and the places where its numbers are free. A range is
 * told from every other by its identity: numbers that went back and are granted again are
 * another range.
 * <p>
 * Thread-safe: {@code places} is a concurrent map to which places are added and from
 * which none is removed. The finds are guarded by the lock of the sequence, and all else
 * is final.
 */
final class HeldRange {

	private final ReservedRange range;

	private final Instant reservedAt;

	private final DocumentIdFormat format;

	private final String idHead;

	// With the zeros that come before most of its numbers: those from paddedFrom on.
	private final String paddedHead;

	private final long paddedFrom;

	// Where it is free, and whether somebody has taken a number for that place.
	private final Map<Place, Boolean> places = new ConcurrentHashMap<>();

	// What is asked now.
	private final Map<Place, Operation.Find> finds = new HashMap<>(0);

	HeldRange(ReservedRange range, Instant reservedAt, DocumentIdFormat format) {
		this.range = range;
		this.reservedAt = reservedAt;
		this.format = format;
		// One head for all ranges without a prefix.
		this.idHead = range.serverPrefix().isEmpty() ? format.head() : format.head() + range.serverPrefix();
		String zeros = format.zeros(range.max());
		this.paddedHead = zeros.isEmpty() ? this.idHead : this.idHead + zeros;
		this.paddedFrom = format.firstPaddedLike(range.max());
		range.free().forEach(this::foundFree);
	}

	ReservedRange range() {
		return this.range;
	}

	Instant reservedAt() {
		return this.reservedAt;
	}

	String documentId(long number) {
		String head = (number >= this.paddedFrom) ? this.paddedHead : this.idHead + this.format.zeros(number);
		return head + number + this.format.tail();
	}

	/**
	 * Whether a caller may take from this range, which it then does.
	 * @param place where its number goes, or {@code null} if any will do
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
	 * The numbers that a cursor of this range can still issue are free in a place.
	 */
	void foundFree(Place place) {
		this.places.putIfAbsent(place, false);
	}

	Stream<Place> used() {
		return this.places.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey);
	}

	/**
	 * Asks for the stored numbers from one on, unless that is asked already.
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

}

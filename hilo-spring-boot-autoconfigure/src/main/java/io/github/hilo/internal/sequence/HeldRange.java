package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * A range that this process holds, and the places where it is covered. Held ranges are
 * compared by identity, because numbers that are returned and granted again are another
 * range.
 * <p>
 * Thread-safe: {@code covered} is a concurrent map from which no place is removed, and
 * all other fields are final.
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

	// The places where the range is covered. The value is the first number of the last
	// segment from which a number was taken for the place, or 0 if none was.
	private final Map<Place, Long> covered = new ConcurrentHashMap<>();

	HeldRange(ReservedRange range, Instant reservedAt, DocumentIdFormat format) {
		this.range = range;
		this.reservedAt = reservedAt;
		this.format = format;
		// Ranges without a server prefix share one string.
		this.idHead = range.serverPrefix().isEmpty() ? format.head() : format.head() + range.serverPrefix();
		String zeros = format.zeros(range.max());
		this.paddedHead = zeros.isEmpty() ? this.idHead : this.idHead + zeros;
		this.paddedFrom = format.firstPaddedLike(range.max());
	}

	ReservedRange range() {
		return this.range;
	}

	String documentId(long number) {
		String head = (number >= this.paddedFrom) ? this.paddedHead : this.idHead + this.format.zeros(number);
		return head + number + this.format.tail();
	}

	/**
	 * Returns whether a caller may take numbers for a place.
	 * @param place where the number will be stored, or {@code null} if any number will do
	 */
	boolean isCoveredIn(@Nullable Place place) {
		return place == null || this.covered.containsKey(place);
	}

	/**
	 * Records that the numbers that a cursor of this range can still issue are not stored
	 * in a place.
	 */
	void cover(Place place) {
		this.covered.putIfAbsent(place, 0L);
	}

	/**
	 * Records that a number is about to be taken for a covered place.
	 * @param segment the first number of the segment
	 */
	void use(@Nullable Place place, long segment) {
		Long last = (place != null) ? this.covered.get(place) : null;
		if (last != null && last != segment) {
			this.covered.put(place, segment);
		}
	}

	boolean isCoveredSomewhere() {
		return !this.covered.isEmpty();
	}

	/**
	 * Returns the places for which numbers were taken, the last ones first.
	 */
	List<Place> lastUsed(int most) {
		return this.covered.entrySet()
			.stream()
			.filter((place) -> place.getValue() > 0)
			.sorted(Map.Entry.<Place, Long>comparingByValue().reversed())
			.limit(most)
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * Returns what a snapshot shows of this range, or {@code null} if it is empty.
	 * @param last the last number that was issued
	 * @param excluded how many of the numbers above it are excluded
	 */
	SequenceSnapshot.@Nullable Range show(long last, long excluded) {
		String prefix = this.range.serverPrefix();
		return (this.range.size() == 0) ? null
				: new SequenceSnapshot.Range(this.range.min(), this.range.max(),
						(last < this.range.min()) ? null : last, this.range.max() - last - excluded, this.reservedAt,
						prefix.isEmpty() ? null : prefix);
	}

}

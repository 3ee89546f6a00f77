package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * A range that this process holds, the places where it is covered, and the numbers that
 * it does not issue. Held ranges are compared by identity, because numbers that are
 * returned and granted again are another range.
 * <p>
 * Thread-safe: {@code covered} is a concurrent map from which no place is removed,
 * {@code coveredUpTo} and {@code usedWithoutPlace} are volatile and only grow, any thread
 * may ask {@code excluded} for a number, and all other fields are final. The lock of the
 * sequence guards all changes but those by {@link #use}.
 */
final class HeldRange {

	private static final int MOST_EXCLUDED = 1_024;

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

	private final Places places;

	// The numbers from the current segment on that are not issued, because they are
	// chosen or stored. At most MOST_EXCLUDED intervals; beyond that, the smallest gap
	// between two is not issued either.
	private final Intervals excluded = new Intervals();

	// The last number that was issued from an earlier segment, or 0. The lock of the
	// sequence guards it.
	private long lastIssued;

	// In so many of the first places of the sequence the range is covered.
	private volatile int coveredUpTo;

	// Whether a number was taken for a caller without a place.
	private volatile boolean usedWithoutPlace;

	HeldRange(ReservedRange range, Instant reservedAt, DocumentIdFormat format, Places places) {
		this.places = places;
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
	 * Returns the numbers that are not issued. Any thread may ask for one of them.
	 */
	Intervals excluded() {
		return this.excluded;
	}

	/**
	 * Returns whether the range may issue a number, for any thread.
	 */
	boolean mayIssue(long number) {
		return number >= this.range.min() && number <= this.range.max() && !this.excluded.has(number);
	}

	/**
	 * Excludes numbers of the range. No cursor may be able to issue any number that is
	 * excluded then, which can be one between two of them.
	 */
	void exclude(long first, long last) {
		this.excluded.add(first, last);
		reduceExcluded();
	}

	/**
	 * Excludes those numbers of the range that the application has chosen.
	 */
	void excludeChosen(ChosenNumbers chosen) {
		chosen.addTo(this.excluded, this.range.min(), this.range.max());
		reduceExcluded();
	}

	/**
	 * Returns whether another excluded interval makes the smallest gap excluded, too.
	 */
	boolean isFullOfExcluded() {
		return this.excluded.size() >= MOST_EXCLUDED;
	}

	private void reduceExcluded() {
		Intervals.reduce(List.of(this.excluded), MOST_EXCLUDED);
	}

	boolean isCoveredIn(Place place) {
		return this.covered.containsKey(place) || (!place.isOfType() && this.covered.containsKey(place.asOfType()));
	}

	/**
	 * Returns whether a caller without a place may take numbers.
	 * @param upTo in how many places of the sequence the range must be covered
	 */
	boolean isCoveredUpTo(int upTo) {
		return this.coveredUpTo >= upTo;
	}

	/**
	 * Returns whether a caller may take numbers, of places that were covered since, too.
	 */
	boolean isCoveredFor(Waiter waiter) {
		Place place = waiter.place();
		if (place != null) {
			return isCoveredIn(place);
		}
		advance(waiter.placesToCover());
		return isCoveredUpTo(waiter.placesToCover());
	}

	private void advance(int upTo) {
		int covered = this.coveredUpTo;
		// The empty range knows no places.
		int known = Math.min(upTo, this.places.size());
		while (covered < known && isCoveredIn(this.places.get(covered))) {
			covered++;
		}
		this.coveredUpTo = covered;
	}

	/**
	 * Finds the first places of the sequence where the range is not covered.
	 * @param upTo how many places of the sequence to consider
	 */
	List<Place> uncovered(int upTo, int most) {
		advance(upTo);
		return IntStream.range(this.coveredUpTo, upTo)
			.mapToObj(this.places::get)
			.filter((place) -> !isCoveredIn(place)
					&& (place.isOfType() || this.places.indexOf(place.asOfType()) >= upTo))
			.limit(most)
			.toList();
	}

	/**
	 * Records that the numbers that a cursor of this range can still issue are not stored
	 * in a place.
	 */
	void cover(Place place) {
		this.covered.putIfAbsent(place, 0L);
		advance(this.places.size());
	}

	/**
	 * Records that a number is taken.
	 * @param place where it goes, or {@code null} if that is not known
	 * @param segment the first number of the segment, which tells segments apart
	 */
	void use(@Nullable Place place, long segment) {
		Long last = (place != null) ? this.covered.get(place) : null;
		if (last != null && last != segment) {
			this.covered.put(place, segment);
		}
		if (place == null && !this.usedWithoutPlace) {
			this.usedWithoutPlace = true;
		}
	}

	boolean isUsedWithoutPlace() {
		return this.usedWithoutPlace;
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
	 * Records the last number that was issued from an earlier segment.
	 */
	void segmentEnded(long last) {
		this.lastIssued = last;
	}

	/**
	 * Returns what a snapshot shows of this range, or {@code null} if it is empty.
	 * @param segment the first number of the current segment
	 * @param last the last number that was taken from it, or the number before it
	 */
	SequenceSnapshot.@Nullable Range show(long segment, long last) {
		String prefix = this.range.serverPrefix();
		long issued = (last >= segment) ? last : this.lastIssued;
		return (this.range.size() == 0) ? null
				: new SequenceSnapshot.Range(this.range.min(), this.range.max(), (issued == 0) ? null : issued,
						this.range.max() - last - this.excluded.count(), this.reservedAt,
						prefix.isEmpty() ? null : prefix);
	}

}

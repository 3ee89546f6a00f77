package io.github.hilo.internal.sequence;

import java.time.Instant;

import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * A range that this process holds or has issued, and where its numbers are free. It is
 * told from every other by its identity: numbers that went back and are granted again are
 * another range.
 */
final class HeldRange {

	private final ReservedRange range;

	private final Instant reservedAt;

	private final DocumentIdFormat format;

	private final String idHead;

	// With the zeros that come before most of its numbers: those from paddedFrom on.
	private final String paddedHead;

	private final long paddedFrom;

	private final FreePlaces places;

	// The highest number that it issues: its last one, until it is sealed.
	private volatile long end;

	HeldRange(ReservedRange range, Instant reservedAt, DocumentIdFormat format, FreePlaces places) {
		this.range = range;
		this.reservedAt = reservedAt;
		this.format = format;
		// One head for all ranges without a prefix.
		this.idHead = range.serverPrefix().isEmpty() ? format.head() : format.head() + range.serverPrefix();
		String zeros = format.zeros(range.max());
		this.paddedHead = zeros.isEmpty() ? this.idHead : this.idHead + zeros;
		this.paddedFrom = format.firstPaddedLike(range.max());
		this.places = places;
		this.end = range.max();
	}

	ReservedRange range() {
		return this.range;
	}

	Instant reservedAt() {
		return this.reservedAt;
	}

	FreePlaces places() {
		return this.places;
	}

	String documentId(long number) {
		String head = (number >= this.paddedFrom) ? this.paddedHead : this.idHead + this.format.zeros(number);
		return head + number + this.format.tail();
	}

	/**
	 * The number of an id that looks as those of this range do, or 0.
	 */
	long numberOf(String id) {
		return this.format.numberOf(id, this.range.serverPrefix());
	}

	/**
	 * No number is taken any more. What lies above the last one may be returned, so that
	 * a find beyond it would meet what others store rightly.
	 */
	void seal(long lastIssued) {
		this.end = lastIssued;
		this.places.rangeEnded();
	}

	boolean holds(long number) {
		return this.range.min() <= number && number <= this.range.max();
	}

	ReservedRange from(long first) {
		return this.range.part(first, Math.max(first, this.end));
	}

}

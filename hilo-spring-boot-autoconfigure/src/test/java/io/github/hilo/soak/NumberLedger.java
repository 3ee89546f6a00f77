package io.github.hilo.soak;

import java.util.BitSet;

/**
 * Which numbers of one sequence were issued: one bit for each that was granted, so that a
 * day of two thousand a second takes some 20 MB. Thread-safe.
 */
final class NumberLedger {

	private final BitSet issued = new BitSet();

	/**
	 * Enters a number.
	 * @return whether it is new
	 */
	synchronized boolean enter(long number) {
		int index = Math.toIntExact(number);
		boolean isNew = !this.issued.get(index);
		this.issued.set(index);
		return isNew;
	}

	synchronized long count() {
		return this.issued.cardinality();
	}

	/**
	 * How much of the heap is the ledger's own.
	 */
	synchronized long bytes() {
		return this.issued.size() / Byte.SIZE;
	}

}

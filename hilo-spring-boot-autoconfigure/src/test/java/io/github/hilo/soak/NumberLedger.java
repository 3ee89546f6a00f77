package io.github.hilo.soak;

import java.util.BitSet;

/**
 * Which numbers of one sequence were issued: one bit for each that was granted, so that a
 * day of two thousand a second takes some 20 MB. Thread-safe.
 */
final class NumberLedger {

	private final BitSet issued = new BitSet();

	private long count;

	/**
	 * Enters a number.
	 * @return whether it is new
	 */
	synchronized boolean enter(long number) {
		int index = Math.toIntExact(number);
		if (this.issued.get(index)) {
			return false;
		}
		this.issued.set(index);
		this.count++;
		return true;
	}

	synchronized long count() {
		return this.count;
	}

	/**
	 * How much of the heap is the ledger's own.
	 */
	synchronized long bytes() {
		return this.issued.size() / Byte.SIZE;
	}

}

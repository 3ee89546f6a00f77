package io.github.hilo.engine;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.store.Names;

/**
 * Checks what blocking and reactive callers ask a sequence for.
 */
final class CallBounds {

	private CallBounds() {
	}

	/**
	 * Checks the size of a block.
	 * @return the size
	 */
	static int requireCount(String sequence, int count) {
		if (count < 1 || count > HiLoSequence.MAX_COUNT) {
			throw new IllegalArgumentException("A block of " + count + " numbers was asked for, of sequence "
					+ Names.quoted(sequence) + ". Ask for at least 1 and at most " + HiLoSequence.MAX_COUNT + ".");
		}
		return count;
	}

	/**
	 * Checks what a counter is to be raised to.
	 * @return the floor
	 */
	static long requireFloor(String sequence, long floor) {
		if (floor < 1 || floor > HiLoIdGenerator.MAX_FLOOR) {
			throw new IllegalArgumentException(
					"The counter of sequence " + Names.quoted(sequence) + " can't be raised to " + floor
							+ ". Pass the highest number in use, from 1 to " + HiLoIdGenerator.MAX_FLOOR + ".");
		}
		return floor;
	}

}

package io.github.hilo.engine;

import java.time.Instant;

import io.github.hilo.store.ReservedRange;

/**
 * What a sequence's document ids look like.
 *
 * @param head what precedes the server prefix, or the number where there is none
 * @param tail what follows the number
 */
record DocumentIdForm(String head, String tail) {

	static DocumentIdForm of(String sequence, HiLoSettings settings) {
		// One tail for all sequences, of which there may be many.
		return new DocumentIdForm(sequence + settings.identityPartsSeparator(),
				settings.nodeTag().isEmpty() ? "" : ("-" + settings.nodeTag()).intern());
	}

	/**
	 * Adds the form to a range that was reserved.
	 */
	RangeCursor.Held held(ReservedRange range, Instant reservedAt) {
		String prefix = range.serverPrefix();
		return new RangeCursor.Held(range, reservedAt, prefix.isEmpty() ? this.head : this.head + prefix, this.tail);
	}

}

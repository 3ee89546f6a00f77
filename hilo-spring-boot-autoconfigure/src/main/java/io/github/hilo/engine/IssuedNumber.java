package io.github.hilo.engine;

/**
 * A number and the range that it came from.
 */
record IssuedNumber(long number, RangeCursor range) {

	String documentId() {
		return this.range.documentId(this.number);
	}

}

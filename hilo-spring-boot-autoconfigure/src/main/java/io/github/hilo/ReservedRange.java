package io.github.hilo;

/**
 * A range that this process alone may issue. Internal.
 *
 * @param min the lowest number, at least 1
 * @param max the highest number
 * @param serverPrefix what stands before the number in a document id, or an empty string
 * @param grant what the store tells this reservation from every other by
 */
public record ReservedRange(long min, long max, String serverPrefix, Object grant) {

	long size() {
		return this.max - this.min + 1;
	}

}

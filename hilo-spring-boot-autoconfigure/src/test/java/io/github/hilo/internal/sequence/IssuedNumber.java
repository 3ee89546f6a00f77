package io.github.hilo.internal.sequence;

import java.util.List;

import io.github.hilo.internal.store.ReservedRange;

/**
 * A number that a caller got, and the range that it came from.
 */
record IssuedNumber(long number, String documentId, ReservedRange range) {

	/**
	 * Finds the numbers of a caller that was served.
	 */
	static List<IssuedNumber> of(Waiter served) {
		return served.runs()
			.stream()
			.flatMap((run) -> run.numbers()
				.mapToObj((number) -> new IssuedNumber(number, run.range().documentId(number), run.range().range())))
			.toList();
	}

}

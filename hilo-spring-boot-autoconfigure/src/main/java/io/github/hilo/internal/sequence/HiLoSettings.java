package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.function.Function;

import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * The part of the configuration that the engine needs. The values were checked when they
 * were read.
 *
 * @param timeout {@code hilo.timeout}: the longest that a caller waits
 * @param maxGrowth how many times as large as the last range the next one may be, at
 * least 2
 */
public record HiLoSettings(Function<String, DocumentIdFormat> formats, Duration timeout, int maxGrowth,
		boolean prefetch, Function<String, SequenceSettings> sequences) {

	/**
	 * Returns the timeout of a command. It is shorter than that of a caller, so that the
	 * caller learns why the command failed.
	 */
	Duration commandTimeout() {
		return this.timeout.multipliedBy(9).dividedBy(10);
	}

	/**
	 * The settings of one sequence.
	 *
	 * @param consecutive whether each number, or block, is a reservation of its own, so
	 * that numbers have the order of the requests; the sizes do not apply then
	 * @param checked whether ids must be free in the places where they are stored
	 */
	public record SequenceSettings(long initialValue, long initialSize, long maxSize, boolean consecutive,
			boolean checked) {
	}

}

package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.function.Function;

import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * What the engine has to know of the configuration. The values were checked where they
 * were read.
 *
 * @param timeout longest a caller waits for a range
 * @param maxGrowth how many times as large as the last range the next one may be, at
 * least 2
 */
public record HiLoSettings(Function<String, DocumentIdFormat> formats, Duration timeout, int maxGrowth,
		boolean prefetch, Function<String, SequenceSettings> sequences) {

	/**
	 * What applies where nothing is configured.
	 */
	public static final HiLoSettings DEFAULTS = new HiLoSettings(
			(sequence) -> DocumentIdFormat.of(sequence, "/", "A", 1), Duration.ofSeconds(10), 2, true,
			(sequence) -> new SequenceSettings(1, 32, 1_048_576, false, true));

	/**
	 * How long a command may take: less than a caller waits, so that it learns why the
	 * command failed.
	 */
	Duration commandTimeout() {
		return this.timeout.multipliedBy(9).dividedBy(10);
	}

	/**
	 * The settings of one sequence.
	 *
	 * @param consecutive whether each number, or block, is a reservation of its own, so
	 * that numbers come in the order of the requests; there are no sizes then
	 */
	public record SequenceSettings(long initialValue, long initialSize, long maxSize, boolean consecutive,
			boolean checked) {
	}

}

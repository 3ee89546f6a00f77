package io.github.hilo.engine;

import java.time.Duration;
import java.util.function.Function;

/**
 * What the engine has to know of the configuration. Internal; the values were checked
 * where they were read.
 *
 * @param nodeTag tag appended to document ids, or an empty string
 * @param identityPartsSeparator what stands between a sequence's name and a number
 * @param timeout longest a caller waits for a range
 * @param growWithin a range used up sooner is followed by one twice its size
 * @param shrinkAfter a range that lasted longer is followed by one half its size
 * @param maxGrowth how many times as large as the last range the next one may be, at
 * least 2
 * @param prefetch whether a busy sequence reserves its next range before it needs it
 * @param sequences the settings of a sequence, by its name
 * @hidden
 */
public record HiLoSettings(String nodeTag, String identityPartsSeparator, Duration timeout, Duration growWithin,
		Duration shrinkAfter, int maxGrowth, boolean prefetch, Function<String, SequenceSettings> sequences) {

	/**
	 * What applies where nothing is configured.
	 */
	public static final HiLoSettings DEFAULTS = new HiLoSettings("A", "/", Duration.ofSeconds(10),
			Duration.ofSeconds(30), Duration.ofSeconds(60), 2, true,
			(sequence) -> new SequenceSettings(1, 32, 1_048_576, false));

	/**
	 * Returns these settings with another form of document ids.
	 * @param nodeTag tag appended to document ids, or an empty string
	 * @param identityPartsSeparator what stands between a sequence's name and a number
	 * @return the settings
	 */
	public HiLoSettings withIdForm(String nodeTag, String identityPartsSeparator) {
		return new HiLoSettings(nodeTag, identityPartsSeparator, this.timeout, this.growWithin, this.shrinkAfter,
				this.maxGrowth, this.prefetch, this.sequences);
	}

	/**
	 * Returns these settings with another timeout.
	 * @param timeout longest a caller waits for a range
	 * @return the settings
	 */
	public HiLoSettings withTimeout(Duration timeout) {
		return new HiLoSettings(this.nodeTag, this.identityPartsSeparator, timeout, this.growWithin, this.shrinkAfter,
				this.maxGrowth, this.prefetch, this.sequences);
	}

	/**
	 * Returns these settings with another limit of growth.
	 * @param maxGrowth how many times as large as the last range the next one may be, at
	 * least 2
	 * @return the settings
	 */
	public HiLoSettings withMaxGrowth(int maxGrowth) {
		return new HiLoSettings(this.nodeTag, this.identityPartsSeparator, this.timeout, this.growWithin,
				this.shrinkAfter, maxGrowth, this.prefetch, this.sequences);
	}

	/**
	 * Returns these settings with or without prefetching.
	 * @param prefetch whether a busy sequence reserves its next range before it needs it
	 * @return the settings
	 */
	public HiLoSettings withPrefetch(boolean prefetch) {
		return new HiLoSettings(this.nodeTag, this.identityPartsSeparator, this.timeout, this.growWithin,
				this.shrinkAfter, this.maxGrowth, prefetch, this.sequences);
	}

	/**
	 * Returns these settings with the same bounds for every sequence.
	 * @param initialValue lowest number to issue, at least 1
	 * @param initialSize first and smallest range, at least 1
	 * @param maxSize largest range, at least {@code initialSize}
	 * @return the settings
	 */
	public HiLoSettings withSequences(long initialValue, long initialSize, long maxSize) {
		SequenceSettings own = new SequenceSettings(initialValue, initialSize, maxSize, false);
		return new HiLoSettings(this.nodeTag, this.identityPartsSeparator, this.timeout, this.growWithin,
				this.shrinkAfter, this.maxGrowth, this.prefetch, (sequence) -> own);
	}

	/**
	 * Returns these settings with every sequence consecutive.
	 * @return the settings
	 */
	public HiLoSettings withConsecutiveSequences() {
		return new HiLoSettings(this.nodeTag, this.identityPartsSeparator, this.timeout, this.growWithin,
				this.shrinkAfter, this.maxGrowth, this.prefetch,
				(sequence) -> this.sequences.apply(sequence).asConsecutive());
	}

	/**
	 * The settings of one sequence.
	 *
	 * @param initialValue lowest number to issue, at least 1
	 * @param initialSize first and smallest range, at least 1
	 * @param maxSize largest range, at least {@code initialSize}
	 * @param consecutive whether each number, or block, is a reservation of its own, so
	 * that numbers come in the order of the requests; there are no sizes then
	 * @hidden
	 */
	public record SequenceSettings(long initialValue, long initialSize, long maxSize, boolean consecutive) {

		private SequenceSettings asConsecutive() {
			return new SequenceSettings(this.initialValue, this.initialSize, this.maxSize, true);
		}

	}

}

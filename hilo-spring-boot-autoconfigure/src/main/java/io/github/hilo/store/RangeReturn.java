package io.github.hilo.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The unissued end of a range. Internal.
 *
 * @param lastIssued what the counter goes back to: the number before the first that is
 * returned
 * @param max the highest number of the range
 * @param grant the range's grant
 * @param newGrant the grant that an earlier attempt may have given the counter, or
 * {@code null} if this is the first attempt
 * @param timeout by when the store has to answer
 * @hidden
 */
public record RangeReturn(long lastIssued, long max, Object grant, @Nullable Object newGrant, Duration timeout) {

	/**
	 * Creates the first attempt.
	 * @param lastIssued the number before the first that is returned
	 * @param max the highest number of the range
	 * @param grant the range's grant
	 * @param timeout by when the store has to answer
	 */
	public RangeReturn(long lastIssued, long max, Object grant, Duration timeout) {
		this(lastIssued, max, grant, null, timeout);
	}

	/**
	 * Returns how many numbers are returned.
	 * @return the count
	 */
	public long count() {
		return this.max - this.lastIssued;
	}

	/**
	 * Makes a repetition.
	 * @param newGrant the grant that the attempts so far may have given the counter
	 * @return the repetition
	 */
	public RangeReturn again(Object newGrant) {
		return new RangeReturn(this.lastIssued, this.max, this.grant, newGrant, this.timeout);
	}

	/**
	 * Makes a copy with another timeout.
	 * @param timeout by when the store has to answer
	 * @return the copy
	 */
	public RangeReturn within(Duration timeout) {
		return new RangeReturn(this.lastIssued, this.max, this.grant, this.newGrant, timeout);
	}

}

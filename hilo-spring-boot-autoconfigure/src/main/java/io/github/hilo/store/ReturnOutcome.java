package io.github.hilo.store;

import org.jspecify.annotations.Nullable;

/**
 * What became of a return. Internal.
 *
 * @param returned whether the numbers went back, with this command or with an earlier one
 * that it repeats
 * @param repetition what may be sent again, if the return failed for a passing reason
 * @param failure why the return failed, or {@code null} if it was answered
 * @hidden
 */
public record ReturnOutcome(boolean returned, @Nullable RangeReturn repetition, @Nullable String failure) {

	/**
	 * The numbers went back.
	 */
	public static final ReturnOutcome RETURNED = new ReturnOutcome(true, null, null);

	/**
	 * The numbers stay granted: the counter was changed since they were.
	 */
	public static final ReturnOutcome SUPERSEDED = new ReturnOutcome(false, null, null);

	/**
	 * Makes the outcome of a return that failed for a reason that lasts.
	 * @param why the reason
	 * @return the outcome
	 */
	public static ReturnOutcome failed(String why) {
		return new ReturnOutcome(false, null, why);
	}

	/**
	 * Makes the outcome of a return that failed for a passing reason. It may have been
	 * carried out.
	 * @param repetition what may be sent again
	 * @param why the reason
	 * @return the outcome
	 */
	public static ReturnOutcome failedForNow(RangeReturn repetition, String why) {
		return new ReturnOutcome(false, repetition, why);
	}

}

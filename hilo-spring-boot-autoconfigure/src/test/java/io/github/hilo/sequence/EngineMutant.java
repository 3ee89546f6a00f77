package io.github.hilo.sequence;

import java.util.Locale;

import io.github.hilo.store.ReservedRange;

/**
 * A defect in the engine, made on purpose: the body of {@link MutantBodies} that has the
 * constant's name in camel case takes the place of one method.
 */
enum EngineMutant {

	/**
	 * What is returned can still be taken by whoever has read the range before.
	 */
	SEAL_ONLY_REPORTS(RangeCursor.class, "seal", Scenario.TAKE_AGAINST_SEAL),

	/**
	 * A number is taken between the look at the count and the end of the range.
	 */
	SEAL_IN_TWO_STEPS(RangeCursor.class, "seal", Scenario.TAKE_AGAINST_SEAL),

	/**
	 * Two takers read the same count.
	 */
	TAKE_IN_TWO_STEPS(RangeCursor.class, "take", Scenario.TAKE_AGAINST_TAKE),

	/**
	 * A take that comes too late wraps near {@link Long#MAX_VALUE}.
	 */
	TAKE_COMPARES_NUMBERS(RangeCursor.class, "take", Scenario.TAKE_AGAINST_TAKE),

	/**
	 * A take looks at the next number and leaves it there.
	 */
	TAKE_DOES_NOT_MOVE(RangeCursor.class, "take", Scenario.TAKE_AGAINST_TAKE),

	/**
	 * The prefix and tag are those of the range that is current by the time.
	 */
	DOCUMENT_ID_OF_THE_RANGE_BY_THEN(RangeSequence.class, "nextDocumentId", Scenario.DOCUMENT_ID_AGAINST_PUBLISH),

	/**
	 * The prefix and tag are not those of the range, but of the configuration.
	 */
	DOCUMENT_ID_AS_CONFIGURED(RangeCursor.class, "documentId", Scenario.DOCUMENT_ID_AGAINST_PUBLISH),

	/**
	 * Two ranges go back as one although somebody was granted what lies between them.
	 */
	DIRECTLY_ON_TOP_OF_ANYTHING(ReservedRange.class, "isDirectlyOnTopOf", Scenario.SIMULATION_CALM),

	/**
	 * Two ranges go back as one where nothing lies between them, whoever was granted it
	 * once.
	 */
	DIRECTLY_ON_TOP_BY_NUMBER(ReservedRange.class, "isDirectlyOnTopOf", Scenario.RANGES_THAT_ONLY_LOOK_ADJACENT),

	/**
	 * Two ranges go back as one where no write came between them, wherever they lie: a
	 * reservation that was carried out twice leaves numbers of others in between.
	 */
	DIRECTLY_ON_TOP_BY_GRANT(ReservedRange.class, "isDirectlyOnTopOf", Scenario.RANGES_THAT_ONLY_LOOK_LINKED),

	/**
	 * The ranges of a snapshot are used by every process that is restored from it.
	 */
	RESET_NOTHING(RangeSequence.class, "reset", Scenario.TAKE_AGAINST_RESET),

	/**
	 * What was asked for before a snapshot is waited for after it.
	 */
	RESET_ALL_BUT_THE_REQUEST(SequenceState.class, "reset", Scenario.LATE_ANSWER),

	/**
	 * An answer counts whatever was forgotten since.
	 */
	USE_A_LATE_ANSWER(SequenceState.class, "reserved", Scenario.LATE_ANSWER),

	/**
	 * A request is sent whatever is in flight.
	 */
	SEND_WHATEVER_IS_IN_FLIGHT(SequenceState.class, "startNext", Scenario.ONE_REQUEST_AT_A_TIME),

	/**
	 * An operation that was lost stays in flight.
	 */
	KEEP_WHAT_IS_LATE(SequenceState.class, "expire", Scenario.SIMULATION_DAMAGE),

	/**
	 * A range that goes back stays the current one.
	 */
	END_WITHOUT_SEALING(HeldRanges.class, "seal", Scenario.SIMULATION_CALM),

	/**
	 * A prefetched range that goes back is used after the current one.
	 */
	SEAL_ALL_BUT_THE_NEXT(HeldRanges.class, "sealAll", Scenario.SIMULATION_CALM),

	/**
	 * A process whose counter was restored from a backup issues what it issued before.
	 */
	FORGET_WHAT_WAS_ISSUED(HeldRanges.class, "seal", Scenario.SIMULATION_DAMAGE),

	/**
	 * The rest of a range starts with a number that was issued.
	 */
	REST_STARTS_TOO_EARLY(HeldRanges.class, "rest", Scenario.SIMULATION_CALM),

	/**
	 * Those that queue share a number.
	 */
	SERVE_ALL_THE_SAME(WaitQueue.class, "serve", Scenario.SIMULATION_CALM),

	/**
	 * A caller is served from a reservation that was made before it came.
	 */
	SERVE_WHO_CAME_LATER(Waiter.class, "arrival", Scenario.SIMULATION_CALM),

	/**
	 * Copies of one process use the same answer: noticed only if the simulation's copies
	 * share nothing with the original.
	 */
	RESET_NO_COPY(RangeSequence.class, "reset", Scenario.SIMULATION_DAMAGE),

	/**
	 * Both sides win, and the number of a caller that has left is lost.
	 */
	SETTLE_AGAIN(Waiter.class, "settle", Scenario.ANSWER_AGAINST_GIVING_UP);

	final Class<?> type;

	final String method;

	final Scenario catcher;

	EngineMutant(Class<?> type, String method, Scenario catcher) {
		this.type = type;
		this.method = method;
		this.catcher = catcher;
	}

	/**
	 * The name of the body in {@link MutantBodies}.
	 */
	String body() {
		String[] words = name().toLowerCase(Locale.ROOT).split("_", -1);
		StringBuilder body = new StringBuilder(words[0]);
		for (int i = 1; i < words.length; i++) {
			body.append(Character.toUpperCase(words[i].charAt(0))).append(words[i], 1, words[i].length());
		}
		return body.toString();
	}

	@Override
	public String toString() {
		return this.type.getSimpleName() + "." + this.method + "() as " + name() + " is noticed by " + this.catcher;
	}

}

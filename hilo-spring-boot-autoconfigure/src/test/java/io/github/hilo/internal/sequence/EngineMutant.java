package io.github.hilo.internal.sequence;

import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.store.ReservedRange;

import org.springframework.util.ClassUtils;

/**
 * A defect in the engine, made on purpose: the body of {@link MutantBodies} that has the
 * constant's name, in camel case, takes the place of one method.
 */
enum EngineMutant {

	/**
	 * A number is taken between the look at the count and the end of the range.
	 */
	SEAL_IN_TWO_STEPS(RangeCursor.class, "seal", Scenario.TAKE_AGAINST_SEAL),

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
	 * An answer counts whatever was forgotten since.
	 */
	USE_A_LATE_ANSWER(SequenceState.class, "reserved", Scenario.LATE_ANSWER),

	/**
	 * A request is sent whatever is in flight.
	 */
	SEND_WHATEVER_IS_IN_FLIGHT(SequenceState.class, "startNext", Scenario.ONE_REQUEST_AT_A_TIME),

	/**
	 * A process whose counter was restored from a backup issues what it issued before.
	 */
	FORGET_WHAT_WAS_ISSUED(HeldRanges.class, "seal", Scenario.SIMULATION_DAMAGE),

	/**
	 * A caller is served from a reservation that was made before it came.
	 */
	SERVE_WHO_CAME_LATER(Waiter.class, "arrival", Scenario.SIMULATION_CALM),

	/**
	 * A range counts as covered in a place that was never asked.
	 */
	NEVER_ASKED_IS_COVERED(HeldRange.class, "isCoveredIn", Scenario.SIMULATION_CALM),

	/**
	 * A range is covered in a place before the cursor is sealed that would issue what is
	 * stored there.
	 */
	COVERED_BEFORE_SEAL(HeldRanges.class, "cover", Scenario.COVER_AGAINST_TAKE),

	/**
	 * What nothing is to be held of goes back although its callers wait for finds.
	 */
	RETURN_DURING_FINDS(SequenceState.class, "isCovering", Scenario.SIMULATION_CALM),

	/**
	 * Numbers go on before those that a find has met.
	 */
	STORED_NUMBER_NOT_PASSED(HeldRanges.class, "cover", Scenario.SIMULATION_CALM),

	/**
	 * Callers take from a range without the lock that nothing is to be held of, though
	 * they arrived after its reservation.
	 */
	HELD_CURSOR_IS_PUBLISHED(SequenceState.class, "published", Scenario.CONSECUTIVE_DURING_FINDS),

	/**
	 * A find of a range that is gone makes the next one larger.
	 */
	LATE_FIND_ENLARGES(SequenceState.class, "found", Scenario.LATE_FINDS),

	/**
	 * A find of a range that is gone refuses those who wait for the next one.
	 */
	LATE_FIND_REFUSES(SequenceState.class, "found", Scenario.LATE_FINDS),

	/**
	 * A range that arrives does not know what was chosen before.
	 */
	NOT_TAKEN_OVER(HeldRange.class, "excludeChosen", Scenario.CHOSEN_WHILE_RESERVING),

	/**
	 * A number that is chosen while a range arrives is excluded by nobody.
	 */
	TAKEN_OVER_BEFORE_IT_IS_HELD(HeldRanges.class, "add", Scenario.CHOOSE_AGAINST_ARRIVAL),

	/**
	 * A number of a range that was reserved in advance is not excluded.
	 */
	FOLLOWING_RANGE_IS_NOT_ASKED(HeldRanges.class, "mayIssue", Scenario.SIMULATION_CALM),

	/**
	 * What does not fit among the excluded numbers is forgotten.
	 */
	INTERVAL_IS_DROPPED(Intervals.Gap.class, "close", Scenario.FAR_CHOICES),

	/**
	 * What was chosen is forgotten with the first range that has it.
	 */
	LOST_WHEN_THE_RANGE_COMES_AGAIN(ChosenNumbers.class, "addTo", Scenario.CHOICES_IN_TIME),

	/**
	 * What was chosen is forgotten too early.
	 */
	FORGOTTEN_A_SECOND_EARLY(ChosenNumbers.Generation.class, "isOver", Scenario.CHOICES_IN_TIME),

	/**
	 * A number that is chosen again is forgotten when it would have been before.
	 */
	SECOND_CHOICE_DOES_NOT_BEGIN_ANEW(ChosenNumbers.Generation.class, "isJustNoted", Scenario.CHOICES_IN_TIME),

	/**
	 * A held range forgets what was chosen.
	 */
	FORGOTTEN_WHILE_HELD(HeldRanges.class, "startSegment", Scenario.CHOICES_IN_TIME),

	/**
	 * Two threads change the chosen numbers at the same time.
	 */
	TWO_WRITERS_AT_ONCE(ChosenNumbers.class, "add", Scenario.CHOOSE_NEIGHBOURS),

	/**
	 * What was chosen for a database that is not known is excluded only by ranges that
	 * are held then.
	 */
	CHOSEN_IN_ALL_DATABASES_IS_FORGOTTEN(ChosenNumbers.class, "addTo", Scenario.CHOICES_IN_TIME),

	/**
	 * What was excluded of a range goes back with it.
	 */
	EXCLUDED_GOES_BACK(Intervals.class, "highest", Scenario.RETURN_OF_A_CHOSEN_NUMBER),

	/**
	 * A number that the application has chosen is issued.
	 */
	CHOSEN_NUMBER_IS_ISSUED(HeldRanges.class, "exclude", Scenario.SIMULATION_CALM),

	/**
	 * A chosen number counts as excluded before the cursor ends that would issue it.
	 */
	EXCLUDED_BEFORE_SEAL(HeldRanges.class, "excludeFrom", Scenario.CHOOSE_TWICE),

	/**
	 * A range that was covered for callers without a place stays so, whatever place
	 * becomes known.
	 */
	KEY_STAYS(HeldRange.class, "isCoveredUpTo", Scenario.SIMULATION_CALM),

	/**
	 * A place to which the application saves stays unknown.
	 */
	SAVE_REGISTERS_NO_PLACE(RangeSequence.class, "register", Scenario.SIMULATION_CALM),

	/**
	 * A caller without a place does not note which places are known.
	 */
	VERSION_IS_NOT_READ(RangeSequence.class, "placesToCover", Scenario.SIMULATION_CALM),

	/**
	 * A place is covered for callers without one before its find has ended.
	 */
	ADVANCED_WITHOUT_FIND(HeldRange.class, "uncovered", Scenario.SIMULATION_CALM),

	/**
	 * What a find has shown beyond its range covers ranges for ever.
	 */
	WINDOW_OUTLIVES_ITS_SECOND(Windows.Window.class, "isOver", Scenario.SIMULATION_CALM),

	/**
	 * A window covers ranges with another server prefix, or that lie beyond it in part.
	 */
	WINDOW_COVERS_WHAT_IT_HAS_NOT_SEEN(Windows.Window.class, "has", Scenario.SIMULATION_CALM),

	/**
	 * Windows outlive a repair, a reservation without an answer, a raise and a pause.
	 */
	WINDOWS_DO_NOT_END(Windows.class, "endAll", Scenario.SIMULATION_DAMAGE),

	/**
	 * A find that was sent before all windows ended opens one.
	 */
	OLD_FIND_OPENS_A_WINDOW(Windows.class, "open", Scenario.SIMULATION_DAMAGE),

	/**
	 * What fails for one client fails for all.
	 */
	FAILURE_REFUSES_ALL(SequenceState.class, "hasClientOf", Scenario.BROUGHT_STORES),

	/**
	 * A call goes through the client of another one.
	 */
	BROUGHT_STORE_IS_IGNORED(Waiter.class, "storeOr", Scenario.BROUGHT_STORES),

	/**
	 * Two counters issue into one field.
	 */
	FIELD_IS_NEVER_CLAIMED(KnownTypes.class, "claim", Scenario.CLAIMS),

	/**
	 * A type whose sequence could not be named is not asked again.
	 */
	UNNAMED_TYPE_IS_FORGOTTEN(KnownTypes.class, "fieldsOf", Scenario.CLAIMS),

	/**
	 * The command that came last is sent first.
	 */
	NEWEST_COMMAND_FIRST("CommandQueue", "startWaiting"),

	/**
	 * A command stays in the queue when its time is over.
	 */
	OVERDUE_COMMAND_STAYS("CommandQueue", "giveUp"),

	/**
	 * Any number of commands is in flight.
	 */
	NO_BOUND_OF_ALL("CommandQueue", "boundOf"),

	/**
	 * One lane has all that may be in flight.
	 */
	NO_BOUND_OF_A_LANE("CommandQueue", "boundOf"),

	/**
	 * Lanes that are not known to answer have all that may be in flight.
	 */
	NO_BOUND_OF_UNPROVEN_LANES("CommandQueue", "boundOf"),

	/**
	 * Silent lanes leave nothing to new ones.
	 */
	NO_BOUND_OF_SILENT_LANES("CommandQueue", "boundOf"),

	/**
	 * A command that was never sent makes its lane silent.
	 */
	UNSENT_COMMAND_SILENCES_ITS_LANE("CommandQueue", "giveUp"),

	/**
	 * A lane is known for ever.
	 */
	LANES_ARE_KEPT("CommandQueue", "use"),

	/**
	 * Copies of one process use the same answer: noticed only if the simulation's copies
	 * share nothing with the original.
	 */
	RESET_NO_COPY(RangeSequence.class, "reset", Scenario.SIMULATION_DAMAGE);

	final Class<?> type;

	final String method;

	final Scenario catcher;

	/**
	 * Creates a mutant of a class of {@code mongodb}, which only that package sees.
	 */
	EngineMutant(String type, String method) {
		this(ClassUtils.resolveClassName("io.github.hilo.internal.mongodb." + type, null), method,
				Scenario.COMMAND_QUEUE);
	}

	EngineMutant(Class<?> type, String method, Scenario catcher) {
		this.type = type;
		this.method = method;
		this.catcher = catcher;
	}

	@Override
	public String toString() {
		return this.type.getSimpleName() + "." + this.method + "() as " + name() + " is noticed by " + this.catcher;
	}

}

package io.github.hilo.internal.sequence;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link SequenceState}: tables with an event in each line and, behind the bar,
 * what it leads to. {@link StateScript} says which events there are.
 */
class SequenceStateTests {

	/**
	 * A find of the first number has shown that no document of the place has a number up
	 * to 99.
	 */
	private static final String WINDOW = """
			ask a in lines   | reserve 1 above 0
			granted          | find 1 to 1 in lines
			found 0 to 99 in lines | a=1
			""";

	@ParameterizedTest(name = "{0}")
	@MethodSource({ "callers", "blocks", "queues", "failures", "outages", "releases", "raises", "pauses", "deadlines",
			"places", "chosenNumbers" })
	void eventsLeadToEffects(String what, String table) {
		assertThat(StateScript.play(StateScript.SETTINGS.withPrefetch(false), table)).isEqualTo(table);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void eventsLeadToEffectsWhereABusySequenceReservesAhead(String what, String table) {
		assertThat(StateScript.play(StateScript.SETTINGS, table)).isEqualTo(table);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void windowsCoverRangesOfAConsecutiveSequence(String what, String table) {
		assertThat(StateScript.play(StateScript.SETTINGS.withConsecutiveSequences(), WINDOW + table))
			.isEqualTo(WINDOW + table);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void eventsLeadToEffectsInAConsecutiveSequence(String what, String table) {
		assertThat(StateScript.play(StateScript.SETTINGS.withConsecutiveSequences(), table)).isEqualTo(table);
	}

	static Stream<Arguments> callers() {
		return Stream.of(arguments("callers share one reservation and are served in their order", """
				ask a            | reserve 4 above 0
				ask b            |
				granted          | a=1, b=2
				ask c            | c=3
				"""), arguments("the number of a caller that has left goes to the next", """
				ask a b          | reserve 4 above 0
				leave a          |
				granted          | b=1
				"""), arguments("those for whom the range was too small get the next one, which is twice its size", """
				ask a b c d e    | reserve 4 above 0
				granted          | a=1, b=2, c=3, d=4, reserve 8 above 4
				granted          | e=5
				"""), arguments("a warm-up takes no number", """
				warm-up w        | reserve 4 above 0
				granted          | w is ready
				warm-up w        | w is ready
				ask a            | a=1
				"""), arguments("a range that lasted long is followed by a smaller one", """
				ask a b c d e    | reserve 4 above 0
				granted          | a=1, b=2, c=3, d=4, reserve 8 above 4
				granted          | e=5
				wait 90s         |
				ask f g h i j k l | f=6, g=7, h=8, i=9, j=10, k=11, l=12
				ask m            | reserve 4 above 12
				"""));
	}

	static Stream<Arguments> blocks() {
		return Stream.of(arguments("a block takes what is left, and one range for the rest", """
				begin            |
				block b 6        | reserve 8 above 4
				granted after 10 | b=[2, 3, 4, 15, 16, 17]
				"""), arguments("a reservation is as large as the blocks that wait for it", """
				block a 6        | reserve 6 above 0
				block b 10       |
				granted          | a=[1, 2, 3, 4, 5, 6], reserve 10 above 6
				granted          | b=[7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
				"""), arguments("a block that has left takes nothing with it", """
				block a 6        | reserve 6 above 0
				ask b            |
				leave a          |
				granted          | b=1
				"""), arguments("a block that fails leaves what is held", """
				begin            |
				block b 6        | reserve 8 above 4
				failed           | b fails
				ask c d          | c=2, d=3
				counts           | 4 reserved, 3 issued, 0 returned
				"""), arguments("so does one that leaves", """
				begin            |
				block b 6        | reserve 8 above 4
				leave b          |
				granted          |
				ask c d e        | c=2, d=3, e=4
				ask f            | f=5
				"""), arguments("while a block waits, others get what is held", """
				begin            |
				block b 6        | reserve 8 above 4
				ask c            | c=2
				granted after 10 | b=[3, 4, 15, 16, 17, 18]
				ask d            | d=19
				"""), arguments("callers behind a block that needs more go first", """
				ask a            | reserve 4 above 0
				block b 6        |
				ask c            |
				granted          | a=1, c=2, reserve 8 above 4
				"""));
	}

	static Stream<Arguments> queues() {
		return Stream.of(arguments("a range for more callers than its size has twice as many numbers", """
				ask a b c d e f g h i j k l m n | reserve 4 above 0
				granted          | a=1, b=2, c=3, d=4, reserve 20 above 4
				granted          | e=5, f=6, g=7, h=8, i=9, j=10, k=11, l=12, m=13, n=14
				"""), arguments("as many callers as the size change nothing", """
				ask a b c d e f g h i j k l | reserve 4 above 0
				granted          | a=1, b=2, c=3, d=4, reserve 8 above 4
				"""), arguments("after a failure the smallest range is asked for, however many wait", """
				ask a            | reserve 4 above 0
				failed           | a fails
				ask b c d e f g  | reserve 4 above 0
				reset            |
				proceed          | reserve 4 above 0
				"""));
	}

	static Stream<Arguments> failures() {
		return Stream.of(arguments("those that wait share a failure, and the next caller tries again", """
				ask a b          | reserve 4 above 0
				failed           | a fails, b fails
				ask c            | reserve 4 above 0
				granted          | c=1
				"""), arguments("after a failure the smallest range is asked for", """
				ask a b c d e    | reserve 4 above 0
				granted          | a=1, b=2, c=3, d=4, reserve 8 above 4
				failed           | e fails
				ask f            | reserve 4 above 4
				"""));
	}

	static Stream<Arguments> deadlines() {
		return Stream.of(arguments("a reservation that outlives its time is over for the next caller", """
				ask a            | reserve 4 above 0
				wait 9s          |
				ask b            |
				wait 1s          |
				ask c            | a fails, b fails, reserve 4 above 0
				granted          | c=1
				"""), arguments("its late range is discarded", """
				ask a            | reserve 4 above 0
				wait 10s         |
				leave a          |
				ask b            | reserve 4 above 0
				granted late     | gap 1 to 4
				granted          | b=5
				"""), arguments("health and a release see it, too", """
				ask a            | reserve 4 above 0
				wait 10s         |
				health           | a fails, down, reserve 4 above 0
				wait 10s         |
				release          | released
				ask b            | reserve 4 above 0
				granted          | b=1
				"""), arguments("a return that outlives its time is a gap", """
				begin            |
				release          | return 2 to 4
				wait 10s         |
				ask b            | released, lose 2 to 4, reserve 4 above 1
				granted          | b=5
				"""));
	}

	static Stream<Arguments> outages() {
		return Stream.of(arguments("an outage ends with a reservation, which health starts", """
				health           | up
				ask a            | reserve 4 above 0
				failed           | a fails
				health           | down, reserve 4 above 0
				granted          |
				health           | up
				"""), arguments("an operator may take it for over", """
				ask a            | reserve 4 above 0
				failed           | a fails
				forgive          |
				health           | up
				"""), arguments("a find fails after its time", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				wait 10s         |
				leave b          |
				not found in lines |
				health           | down, find 2 to 4 in lines
				found 0 in lines |
				health           | up
				"""), arguments("or while another one is under way", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				wait 10s         |
				ask c in lines   | find 2 to 4 in lines
				not found in lines |
				health           | up
				"""), arguments("while it is paused health starts nothing", """
				ask a            | reserve 4 above 0
				failed           | a fails
				pause            | released
				health           | down
				wait 61s         |
				health           | up
				"""));
	}

	static Stream<Arguments> places() {
		return Stream.of(arguments("a reservation only counts, and a find covers the range", """
				ask a in lines   | reserve 4 above 0
				granted          | find 1 to 4 in lines
				found 0 in lines | a=1
				ask b in lines   | b=2
				"""), arguments("where it is not covered, a find is shared, and others go on", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				ask c in lines   |
				ask d            | d=2
				found 0 in lines | b=3, c=4
				"""), arguments("numbers go on behind the highest that is stored", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				found 3 in lines | b=4
				ask c            | reserve 8 above 4
				counts           | 4 reserved, 2 issued, 0 returned
				"""), arguments("what was taken meanwhile is not taken back", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				ask c            | c=2
				found 2 in lines | b=3
				"""), arguments("if too few are left, the next range is reserved for that place", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				found 4 in lines | reserve 8 above 4
				granted          | find 5 to 12 in lines
				found 0 in lines | b=5
				ask c in lines   | c=6
				"""), arguments("a place has one find at a time, whichever range it is for", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				ask c d e        | c=2, d=3, e=4, reserve 8 above 4
				ask f            |
				granted          | f=5
				ask g in notes   | find 6 to 12 in notes
				found 4 in lines | find 6 to 12 in lines
				found 0 in lines | b=6
				ask h in lines   | h=7
				found 0 in notes | g=8
				"""), arguments("a find that fails refuses those alone who go there", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				ask c in notes   | find 2 to 4 in notes
				not found in lines | b fails
				found 0 in notes | c=2
				health           | up
				ask d in lines   | find 3 to 4 in lines
				"""), arguments("a find that fails after its range has gone refuses nobody", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				ask c d e        | c=2, d=3, e=4, reserve 8 above 4
				granted          |
				not found in lines | find 5 to 12 in lines
				found 0 in lines | b=5
				"""), arguments("a find that fails concerns those who need its range", """
				begin            |
				block b 6 in lines | reserve 8 above 4
				granted          | find 2 to 4 in lines
				found 0 in lines | find 5 to 12 in lines
				ask c in lines   | c=2
				not found in lines | b fails
				ask d in lines   | d=3
				"""), arguments("a block is taken whole, behind what is stored, or waits", """
				begin            |
				block b 4 in lines | reserve 8 above 4
				granted          | find 2 to 4 in lines
				ask c            | c=2
				found 3 in lines | find 5 to 12 in lines
				found 0 in lines | b=[4, 5, 6, 7]
				"""), arguments("a reservation that fails refuses those alone for whom too little is held", """
				begin            |
				ask b c          | b=2, c=3
				ask d in lines   | find 4 to 4 in lines
				ask e in lines   | reserve 8 above 4
				failed           | e fails
				found 0 in lines | d=4
				"""),
				arguments("a caller whose find is on its way at a pause gets its number first, and later ones do not",
						"""
								begin            |
								ask b in lines   | find 2 to 4 in lines
								pause            |
								ask c in lines   |
								ask d            |
								found 0 in lines | b=2, return 3 to 4
								returned         | released, reserve 2 above 2
								granted          | d=3, find 3 to 4 in lines
								found 0 in lines | c=4
								"""),
				arguments("a closed sequence serves those that wait for a find", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						close            |
						ask c            | c fails
						found 0 in lines | b=2, return 3 to 4
						returned         | released
						"""), arguments("numbers that went back and are granted again are another range", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						found 0 in lines | b=2
						release          | return 3 to 4
						returned         | released
						ask c            | reserve 4 above 2
						granted          | c=3
						ask d in lines   | find 4 to 6 in lines
						found 5 in lines | d=6
						"""),
				arguments("a release waits for no find, and those who wait for one wait for the next range", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						release          | return 2 to 4
						ask c in notes   |
						found 0 in lines |
						returned         | released, reserve 4 above 1
						granted          | find 2 to 5 in lines, find 2 to 5 in notes
						found 0 in lines | b=2
						found 0 in notes | c=3
						"""), arguments("a release after a range has arrived starts no find of it", """
						ask b in lines   | reserve 4 above 0
						release          |
						granted          | return 1 to 4
						returned         | released, reserve 4 above 0
						granted          | find 1 to 4 in lines
						"""), arguments("the pause of a range waits for no find whose callers have left", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						pause            |
						leave b          | return 2 to 4
						"""), arguments("nor for one that outlives its time", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						pause            |
						wait 10s         |
						warm-up w        | w is ready, return 2 to 4
						"""), arguments("nor any longer than the engine does", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						close            |
						discard          | b fails, released, gap 2 to 4
						"""), arguments("a find that outlives its time is sent again", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						wait 10s         |
						ask c in lines   | find 2 to 4 in lines
						found 0 in lines | b=2, c=3
						"""), arguments("whatever happens next", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						wait 10s         |
						health           | find 2 to 4 in lines, up
						"""), arguments("one that was sent before a reset says nothing of what comes after it", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						reset            | gap 2 to 4
						found 0 in lines | reserve 4 above 1
						granted          | find 5 to 8 in lines
						found 0 in lines | b=5
						"""),
				arguments("after a range of which nothing is left the next one is twice as large, up to the largest",
						"""
								begin            |
								ask b in lines   | find 2 to 4 in lines
								found 4 in lines | reserve 8 above 4
								granted          | find 5 to 12 in lines
								found 12 in lines | reserve 16 above 12
								granted          | find 13 to 28 in lines
								found 28 in lines | reserve 32 above 28
								granted          | find 29 to 60 in lines
								found 60 in lines | reserve 64 above 60
								granted          | find 61 to 124 in lines
								found 124 in lines | reserve 64 above 124
								granted          | find 125 to 188 in lines
								found 150 in lines | b=151
								"""),
				arguments("too little for the first block of a place is as good as nothing", """
						begin            |
						block b 3 in lines | find 2 to 4 in lines
						found 2 in lines | reserve 8 above 4
						granted          | find 5 to 12 in lines
						found 11 in lines | b=[3, 4, 12]
						"""), arguments("a place where nothing is stored does not end that", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						found 4 in lines | reserve 8 above 4
						granted          | find 5 to 12 in lines
						found 12 in lines | reserve 16 above 12
						granted          | find 13 to 28 in lines
						ask n in notes   | find 13 to 28 in notes
						found 26 in lines | b=27
						found 0 in notes | n=28
						ask c d e        | reserve 8 above 28
						"""), arguments("it ends with the time of the call", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						found 4 in lines | reserve 8 above 4
						granted          | find 5 to 12 in lines
						found 12 in lines | reserve 16 above 12
						failed           | b fails
						ask c in lines   | reserve 4 above 12
						granted          | find 13 to 16 in lines
						found 16 in lines | reserve 8 above 16
						leave c          |
						granted          |
						ask d in lines   | find 17 to 24 in lines
						"""),
				arguments("a range of which more than half is excluded is followed by one of half its size", """
						begin            |
						ask b in lines   | find 2 to 4 in lines
						found 4 in lines | reserve 8 above 4
						granted          | find 5 to 12 in lines
						found 12 in lines | reserve 16 above 12
						granted          | find 13 to 28 in lines
						found 26 in lines | b=27
						ask c d          | c=28, reserve 8 above 28
						granted          | d=29, find 30 to 36 in lines
						ask e in lines   |
						found 0 in lines | e=30
						block f 7        | reserve 16 above 36
						"""), arguments("one that fails starts again", """
						ask a in lines   | reserve 4 above 0
						granted          | find 1 to 4 in lines
						found 4 in lines | reserve 8 above 4
						failed           | a fails
						ask b in lines   | reserve 4 above 4
						"""), arguments("health is down while no place can be searched, and searches", """
						ask a in lines   | reserve 4 above 0
						granted          | find 1 to 4 in lines
						not found in lines | a fails
						health           | down, find 1 to 4 in lines
						not found in lines |
						ask b in notes   | find 1 to 4 in notes
						found 0 in notes | b=1
						health           | up
						ask c in lines   | find 2 to 4 in lines
						not found in lines | c fails
						health           | up
						"""), arguments("a warm-up covers its place", """
						warm-up w in lines | reserve 4 above 0
						granted          | find 1 to 4 in lines
						found 0 in lines | w is ready
						ask a in lines   | a=1
						"""));
	}

	static Stream<Arguments> chosenNumbers() {
		return Stream.of(arguments("a number that the application has chosen is excluded, and that one alone", """
				begin            |
				chosen 3         |
				ask b c          | b=2, c=4
				counts           | 4 reserved, 3 issued, 0 returned
				"""), arguments("one that was issued is no choice", """
				ask a b          | reserve 4 above 0
				granted          | a=1, b=2
				chosen 1         |
				chosen 2         |
				ask c d          | c=3, d=4
				"""), arguments("it counts while a range is reserved", """
				ask a            | reserve 4 above 0
				chosen 2         |
				granted          | a=1
				ask b            | b=3
				"""), arguments("a block passes it over", """
				begin            |
				chosen 3         |
				block b 4        | reserve 8 above 4
				granted          | b=[2, 4, 5, 6]
				"""), arguments("and what is returned begins above it, because its document may be on its way", """
				begin            |
				chosen 3         |
				release          | gap 2 to 3, return 4 to 4
				returned         | released
				ask b c          | reserve 4 above 1
				granted          | b=4, c=5
				"""), arguments("the same holds for a number that is stored", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				found 3 in lines | b=4
				block c 4        | reserve 8 above 4
				chosen 11        |
				granted          | c=[5, 6, 7, 8], find 9 to 12 in lines
				release          | gap 9 to 11, return 12 to 12
				"""), arguments("those above what is held are kept", """
				begin            |
				chosen 6         |
				chosen 400       |
				ask b c d e f    | b=2, c=3, d=4, reserve 8 above 4
				granted          | e=5, f=7
				"""), arguments("those directly above what is held are excluded from the next range", """
				begin            |
				chosen 6         |
				chosen 5         |
				chosen 8         |
				ask b c d e      | b=2, c=3, d=4, reserve 8 above 4
				granted          | e=7
				ask f            | f=9
				"""), arguments("if they are all of it, the one after is twice as large", """
				begin            |
				chosen 2         |
				chosen 3         |
				chosen 4         |
				chosen 5         |
				chosen 6         |
				chosen 7         |
				chosen 8         |
				ask b            | reserve 8 above 4
				granted          | b=9
				"""),
				arguments("however far above",
						"""
								begin            |
								chosen 100       |
								block b 95       | reserve 95 above 4
								granted          | b=[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96]
								ask c d e        | c=97, d=98, e=99
								ask f            | reserve 16 above 99
								granted          | f=101
								"""),
				arguments("a reservation that fails, and others that reserve, change nothing of it", """
						begin            |
						chosen 7         |
						ask b c d e      | b=2, c=3, d=4, reserve 8 above 4
						failed           | e fails
						ask f            | reserve 4 above 4
						granted after 1  | f=6
						ask g            | g=8
						"""), arguments("before the first reservation all are kept", """
						chosen 2         |
						chosen 9000      |
						ask a b          | reserve 4 above 0
						granted          | a=1, b=3
						"""), arguments("a range may have none left", """
						begin            |
						chosen 2         |
						chosen 4         |
						chosen 3         |
						ask b            | reserve 8 above 4
						granted          | b=5
						release          | return 6 to 12
						"""));
	}

	static Stream<Arguments> releases() {
		return Stream.of(arguments("a release returns what is unissued", """
				begin            |
				release          | return 2 to 4
				returned         | released
				ask b            | reserve 4 above 1
				granted          | b=2
				"""), arguments("a release of nothing ends at once", """
				release          | released
				"""), arguments("those that wait for a reservation in flight get their numbers first", """
				ask a            | reserve 4 above 0
				release          |
				release          |
				granted          | a=1, return 2 to 4
				ask b            |
				returned         | released, released, reserve 4 above 1
				granted          | b=2
				"""), arguments("numbers that could not be returned are discarded", """
				begin            |
				release          | return 2 to 4
				not returned     | released
				ask b            | reserve 4 above 1
				granted          | b=5
				"""), arguments("a return that failed ends the release", """
				begin            |
				release          | return 2 to 4
				failed           | released, lose 2 to 4
				"""));
	}

	static Stream<Arguments> raises() {
		return Stream.of(arguments("a raise discards the numbers up to its floor", """
				begin            |
				raised 50        | gap 2 to 4
				ask b            | reserve 8 above 50
				granted          | b=51
				"""), arguments("a range that was granted below the floor of a raise that overtook it is discarded", """
				ask a            | reserve 4 above 0
				raised 50        |
				granted          | gap 1 to 4, reserve 4 above 50
				granted          | a=51
				"""), arguments("a range that was granted above it is used", """
				ask a            | reserve 4 above 0
				raised 50        |
				granted after 50 | a=51
				"""), arguments("a block that waits starts over", """
				begin            |
				block b 6        | reserve 8 above 4
				raised 3         | gap 2 to 4
				granted          | b=[5, 6, 7, 8, 9, 10]
				"""), arguments("a raise ends a pause whose range it discards", """
				begin            |
				ask b in lines   | find 2 to 4 in lines
				pause            |
				raised 50        | released, gap 2 to 4, reserve 1 above 50
				"""), arguments("a raise counts whatever was forgotten since it was sent", """
				ask a            | reserve 4 above 0
				reset            |
				raised 50        | reserve 4 above 50
				proceed          |
				granted          | a=51
				"""));
	}

	static Stream<Arguments> pauses() {
		return Stream.of(arguments("while it is paused each number is a reservation of its own", """
				begin            |
				pause            | return 2 to 4
				returned         | released
				ask b            | reserve 1 above 1
				ask c            |
				granted          | b=2, reserve 1 above 2
				granted          | c=3
				"""), arguments("while it is paused a block is, too", """
				pause            | released
				block a 6        | reserve 6 above 0
				block b 10       |
				granted          | a=[1, 2, 3, 4, 5, 6], reserve 10 above 6
				leave b          |
				granted          | return 7 to 16
				"""), arguments("a range that arrives after a pause serves those that wait, and is returned", """
				ask a b          | reserve 4 above 0
				pause            |
				granted          | a=1, b=2, return 3 to 4
				returned         | released
				"""), arguments("an answer to what was asked before a reset is not used after it", """
				ask a            | reserve 4 above 0
				pause            |
				reset            | released
				resume           |
				proceed          | reserve 4 above 0
				granted late     | gap 1 to 4
				granted          | a=5
				granted late     | gap 9 to 12
				ask b            | b=6
				"""), arguments("nothing that was held before a reset is used after it", """
				begin            |
				reset            | gap 2 to 4
				ask b            | reserve 4 above 1
				granted          | b=5
				"""), arguments("a closed sequence serves those that wait for a range, and nobody else", """
				ask a            | reserve 4 above 0
				close            |
				ask b            | b fails
				granted          | a=1, return 2 to 4
				returned         | released
				"""), arguments("what could not be returned in time is discarded", """
				begin            |
				discard          | gap 2 to 4
				ask b            | reserve 4 above 1
				granted          | b=5
				"""));
	}

	@Test
	void blockThatFindsNoRoomFailsAndSoDoOthersForAMinute() {
		String table = """
				block a 20 in lines | reserve 20 above 0
				granted          | find 1 to 20 in lines
				ask x in notes   |
				found 15 in lines | return 16 to 20
				returned         | reserve 40 above 15
				granted          | find 16 to 55 in lines
				found 50 in lines | return 51 to 55
				returned         | reserve 64 above 50
				granted          | find 51 to 114 in lines
				found 110 in lines | return 111 to 114
				returned         | reserve 64 above 110
				granted          | find 111 to 174 in lines
				found 170 in lines | return 171 to 174
				returned         | reserve 64 above 170
				granted          | find 171 to 234 in lines
				found 230 in lines | return 231 to 234
				returned         | reserve 64 above 230
				granted          | find 231 to 294 in lines
				block y 30 in lines |
				found 290 in lines | a fails, y fails, return 291 to 294
				returned         | reserve 1 above 290
				granted          | find 291 to 291 in notes
				found 0 in notes | x=291
				block b 20 in lines | b fails
				block e 20 in notes | reserve 20 above 291
				leave e          |
				granted          | return 292 to 311
				returned         |
				block c 19 in lines | reserve 19 above 291
				leave c          |
				granted          | return 292 to 310
				returned         |
				raised 400       |
				block f 20 in lines | reserve 20 above 400
				""";
		assertThat(StateScript.play(StateScript.SETTINGS.withConsecutiveSequences(), table)).isEqualTo(table);
	}

	static Stream<Arguments> windowsCoverRangesOfAConsecutiveSequence() {
		return Stream.of(arguments("for less than a second", """
				wait 0.999s      |
				ask b in lines   | reserve 1 above 1
				granted          | b=2
				wait 0.001s      |
				ask c in lines   | reserve 1 above 2
				granted          | find 3 to 3 in lines
				"""), arguments("for less than a second of the wall clock, too", """
				sleep 1s         |
				ask b in lines   | reserve 1 above 1
				granted          | find 2 to 2 in lines
				"""), arguments("from when the find was decided on", """
				ask b in notes   | reserve 1 above 1
				granted          | find 2 to 2 in notes
				wait 1s          |
				found 0 to 99 in notes | b=2
				ask c in notes   | reserve 1 above 2
				granted          | find 3 to 3 in notes
				"""), arguments("in their place alone", """
				ask b in notes   | reserve 1 above 1
				granted          | find 2 to 2 in notes
				"""), arguments("that lie inside as a whole", """
				ask b in lines   | reserve 1 above 1
				granted after 97 | b=99
				ask c in lines   | reserve 1 above 99
				granted          | find 100 to 100 in lines
				"""), arguments("for blocks, too", """
				block b 6 in lines | reserve 6 above 1
				granted          | b=[2, 3, 4, 5, 6, 7]
				"""), arguments("but for what the application has chosen", """
				chosen 2         |
				ask b in lines   | reserve 1 above 1
				granted          | reserve 4 above 2
				granted          | b=3, return 4 to 6
				"""), arguments("until a reservation was not its first command", """
				ask b in lines   | reserve 1 above 1
				repaired         | find 2 to 2 in lines
				found 0 in lines | b=2
				ask c in lines   | reserve 1 above 2
				granted          | find 3 to 3 in lines
				"""), arguments("until the outcome of a reservation is unknown", """
				ask b in lines   | reserve 1 above 1
				failed           | b fails
				ask c in lines   | reserve 1 above 1
				granted          | find 2 to 2 in lines
				"""), arguments("until a raise", """
				raised 5         |
				ask b in lines   | reserve 1 above 5
				granted          | find 6 to 6 in lines
				"""), arguments("until a release", """
				release          | released
				ask b in lines   | reserve 1 above 1
				granted          | find 2 to 2 in lines
				"""), arguments("until a pause", """
				pause            | released
				reset            |
				resume           |
				ask b in lines   | reserve 1 above 1
				granted          | find 2 to 2 in lines
				"""), arguments("and a pause opens none", """
				pause            | released
				ask b in lines   | reserve 1 above 1
				granted          | find 2 to 2 in lines
				found 0 to 99 in lines | b=2
				ask c in lines   | reserve 1 above 2
				granted          | find 3 to 3 in lines
				"""), arguments("but not if the find was sent before the end of all", """
				ask b in notes   | reserve 1 above 1
				granted          | find 2 to 2 in notes
				raised 1         |
				found 0 to 99 in notes | b=2
				ask c in notes   | reserve 1 above 2
				granted          | find 3 to 3 in notes
				"""));
	}

	static Stream<Arguments> eventsLeadToEffectsInAConsecutiveSequence() {
		return Stream.of(arguments("each number is a reservation of its own", """
				ask a            | reserve 1 above 0
				granted          | a=1
				ask b            | reserve 1 above 1
				granted after 10 | b=12
				"""), arguments("those that wait share the next one, and later ones do not", """
				ask a b          | reserve 1 above 0
				ask c            |
				granted          | a=1, reserve 2 above 1
				ask d            |
				granted after 10 | b=12, c=13, reserve 1 above 13
				granted          | d=14
				"""), arguments("a range is not returned while finds for its callers are on their way", """
				ask a in lines   | reserve 1 above 0
				granted          | find 1 to 1 in lines
				ask b in lines   |
				ask c in notes   |
				found 0 in lines | a=1, reserve 2 above 1
				granted          | find 2 to 3 in lines, find 2 to 3 in notes
				found 0 in notes | c=2
				ask d            |
				found 3 in lines | reserve 4 above 3
				granted          | d=4, find 4 to 7 in lines
				found 0 in lines | b=5, return 6 to 7
				"""), arguments("a find that fails refuses those of its batch", """
				ask a in lines   | reserve 1 above 0
				granted          | find 1 to 1 in lines
				ask b in lines   |
				not found in lines | a fails, return 1 to 1
				returned         | reserve 1 above 0
				granted          | find 1 to 1 in lines
				found 0 in lines | b=1
				"""), arguments("a find that fails gives the number back", """
				ask a in lines   | reserve 1 above 0
				ask b in notes   |
				granted          | find 1 to 1 in lines
				not found in lines | a fails, return 1 to 1
				returned         | reserve 1 above 0
				granted          | find 1 to 1 in notes
				found 0 in notes | b=1
				"""), arguments("a caller that leaves while its find is on its way gives the number back", """
				ask a in lines   | reserve 1 above 0
				granted          | find 1 to 1 in lines
				ask b            |
				leave a          | return 1 to 1
				found 0 in lines |
				returned         | reserve 1 above 0
				granted          | b=1
				"""), arguments("a find says nothing of a block that the range is not for", """
				ask a in lines   | reserve 1 above 0
				ask b in lines   |
				ask c in notes   |
				block d 6 in lines |
				granted          | find 1 to 1 in lines
				found 0 in lines | a=1, reserve 2 above 1
				granted          | find 2 to 3 in lines, find 2 to 3 in notes
				leave b          |
				found 3 in lines | reserve 4 above 3
				"""), arguments("so is each block, in its turn", """
				ask a            | reserve 1 above 0
				block b 6        |
				ask c            |
				granted          | a=1, reserve 6 above 1
				granted after 10 | b=[12, 13, 14, 15, 16, 17], reserve 1 above 17
				granted          | c=18
				"""), arguments("a caller that came after the request was made is not served from it", """
				ask a            | reserve 1 above 0
				leave a          |
				ask b            |
				granted          | return 1 to 1
				returned         | reserve 1 above 0
				granted          | b=1
				"""), arguments("a number that could not be returned becomes a gap", """
				ask a            | reserve 1 above 0
				leave a          |
				granted          | return 1 to 1
				not returned     |
				ask b            | reserve 1 above 0
				granted          | b=2
				"""), arguments("one that came later is not served instead of one that has left", """
				ask a b          | reserve 1 above 0
				leave a          |
				granted          | return 1 to 1
				returned         | reserve 1 above 0
				ask c            |
				leave b          |
				granted          | return 1 to 1
				"""), arguments(
				"numbers of a block that has left are returned, because those that came later are not of its batch", """
						ask a            | reserve 1 above 0
						block b 6        |
						ask c            |
						block d 6        |
						granted          | a=1, reserve 6 above 1
						leave b          |
						ask e            |
						granted          | return 2 to 7
						returned         | reserve 1 above 1
						granted          | c=2, reserve 6 above 2
						granted          | d=[3, 4, 5, 6, 7, 8], reserve 1 above 8
						granted          | e=9
						"""), arguments("those that wait share a failure", """
						ask a b          | reserve 1 above 0
						ask c            |
						failed           | a fails, b fails, c fails
						ask d            | reserve 1 above 0
						"""), arguments("a warm-up reserves nothing", """
						warm-up w        | w is ready
						ask a            | reserve 1 above 0
						warm-up w        | w is ready
						"""), arguments("a release ends with the reservation in flight", """
						release          | released
						ask a            | reserve 1 above 0
						release          |
						granted          | a=1, released
						"""), arguments("what was reserved before a reset is not used after it", """
						ask a            | reserve 1 above 0
						pause            |
						reset            | released
						resume           |
						proceed          | reserve 1 above 0
						granted late     | gap 1 to 1
						granted          | a=2
						"""), arguments("a block goes on behind excluded numbers", """
						ask a            | reserve 1 above 0
						granted          | a=1
						chosen 5         |
						block b 6        | reserve 6 above 1
						granted          | gap 2 to 5, return 6 to 7
						returned         | reserve 6 above 1
						granted          | b=[6, 7, 8, 9, 10, 11]
						ask c            | reserve 1 above 11
						"""), arguments("a block is served from adjacent numbers alone", """
						ask a in lines   | reserve 1 above 0
						granted          | find 1 to 1 in lines
						found 1 in lines | reserve 4 above 1
						granted          | find 2 to 5 in lines
						found 5 in lines | reserve 8 above 5
						block b 3        |
						granted          | find 6 to 13 in lines
						chosen 8         |
						found 0 in lines | a=6, gap 7 to 8, return 9 to 13
						returned         | reserve 3 above 6
						granted          | b=[9, 10, 11]
						"""), arguments("what lies before them is a gap", """
						block a 2 in lines | reserve 2 above 0
						granted          | find 1 to 2 in lines
						found 2 in lines | reserve 4 above 2
						chosen 4         |
						granted          | find 3 to 6 in lines
						found 0 in lines | a=[5, 6]
						"""), arguments("a batch ends before a block", """
						ask a            | reserve 1 above 0
						ask b c          |
						block d 2        |
						ask e            |
						granted          | a=1, reserve 2 above 1
						granted          | b=2, c=3, reserve 2 above 3
						granted          | d=[4, 5], reserve 1 above 5
						granted          | e=6
						"""), arguments("a failure counts for a minute, and nothing is sent", """
						ask a            | reserve 1 above 0
						failed           | a fails
						health           | down
						wait 1m          |
						health           | down
						wait 1s          |
						health           | up
						ask b            | reserve 1 above 0
						failed           | b fails
						health           | down
						"""));
	}

	static Stream<Arguments> eventsLeadToEffectsWhereABusySequenceReservesAhead() {
		return Stream.of(arguments("the next range is reserved at the half, and used after the current one", """
				busy             |
				ask f g          | f=6, g=7
				ask h            | h=8, reserve 16 above 12
				granted          |
				ask i j k l m    | i=9, j=10, k=11, l=12, m=13
				"""), arguments("callers that use up the range first join the reservation in flight", """
				busy             |
				ask f g h        | f=6, g=7, h=8, reserve 16 above 12
				ask i j k l m n  | i=9, j=10, k=11, l=12
				granted          | m=13, n=14
				"""), arguments("current and next range are returned together where nothing lies between", """
				busy             |
				ask f g h        | f=6, g=7, h=8, reserve 16 above 12
				granted          |
				release          | return 9 to 28
				returned         | released
				"""), arguments("only the next range is returned where others were granted what lies between", """
				busy             |
				ask f g h        | f=6, g=7, h=8, reserve 16 above 12
				granted after 10 |
				release          | gap 9 to 12, return 23 to 38
				"""),
				arguments("a block that needs more than both ranges takes them and a third one, in order",
						"""
								busy             |
								ask f g h        | f=6, g=7, h=8, reserve 16 above 12
								granted          |
								block i 24       | reserve 32 above 28
								ask j            | j=9
								granted          | i=[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
								ask k            | k=34
								"""),
				arguments("one that leaves lets the three of them be used, and returned", """
						busy             |
						ask f g h        | f=6, g=7, h=8, reserve 16 above 12
						granted          |
						block i 24       | reserve 32 above 28
						leave i          |
						granted          |
						ask j k l m n    | j=9, k=10, l=11, m=12, n=13
						release          | return 14 to 60
						"""), arguments("a prefetch that failed is not tried again, and callers do not see it", """
						busy             |
						ask f g h        | f=6, g=7, h=8, reserve 16 above 12
						failed           |
						ask i j k l      | i=9, j=10, k=11, l=12
						ask m            | reserve 4 above 12
						granted          | m=13
						"""), arguments("its size follows the pace of the half that was used", """
						busy             |
						wait 15s         |
						ask f g h        | f=6, g=7, h=8, reserve 8 above 12
						"""), arguments("a sequence that is not busy any more reserves nothing ahead", """
						busy             |
						wait 61s         |
						ask f g h i      | f=6, g=7, h=8, i=9
						"""));
	}

}

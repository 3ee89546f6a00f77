package io.github.hilo.mongodb;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.StoredIdScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether numbers are free, which no stored document has:
 * <ol>
 * <li>Numbers, of every reservation: at the same time as the reservation, one find in
 * each place asks for the highest number above its floor. If there is none, or it lies
 * below the range, the range is free there; if it lies above, a second find asks for the
 * range itself.</li>
 * <li>Texts, of the first {@value #MAX_TEXTS} numbers that this process issues: when they
 * are reserved, one find in each place asks for these ids.</li>
 * </ol>
 * A check that fails lets the reservation fail: it never counts as "free".
 */
final class RangeCheck {

	/**
	 * How many numbers a process issues whose texts are checked.
	 */
	static final int MAX_TEXTS = 32;

	private static final Logger logger = LoggerFactory.getLogger(RangeCheck.class);

	private static final String WAYS_OUT = "Allow find there, or set " + CheckMemory.SWITCH
			+ " to false for this sequence";

	private final CheckedSequence sequence;

	private final Deadline deadline;

	private final long texts;

	/**
	 * Creates the check of one reservation.
	 * @param deadline by when there must be an answer
	 * @param issued how many numbers this process has issued
	 */
	RangeCheck(CheckedSequence sequence, Deadline deadline, long issued) {
		this.sequence = sequence;
		this.deadline = deadline;
		boolean checked = sequence.memory().areTextsChecked(sequence.scope().places().size());
		this.texts = checked ? Math.max(0, MAX_TEXTS - issued) : MAX_TEXTS;
	}

	/**
	 * Tells whether a range can be checked. Where that failed a moment ago, none should
	 * be reserved.
	 */
	CompletionStage<@Nullable Void> ready() {
		boolean needed = !this.sequence.scope().numbers().isEmpty()
				|| (this.texts > 0 && !this.sequence.scope().texts().isEmpty());
		return needed ? this.sequence.memory().ready() : CompletableFuture.completedFuture(null);
	}

	/**
	 * Asks for the highest stored numbers above the floor of an attempt.
	 */
	Numbers numbersAbove(long floor) {
		Numbers numbers = new Numbers(this.sequence.memory().begin(this.deadline.isMostLeft()),
				this.sequence.reader().highestNumbers(this.sequence.scope().numbers(), floor, this.deadline::left));
		List<StoredIdScope.Place> added = this.sequence.scope()
			.places()
			.stream()
			.filter((place) -> !place.isId() && this.sequence.memory().isNew(place))
			.toList();
		CompletionStage<?> unused = SideBySide.each(added, this::warnWithoutIndex);
		return numbers;
	}

	private CompletionStage<Boolean> warnWithoutIndex(StoredIdScope.Place place) {
		return this.sequence.reader().hasIndex(place, this.deadline.left()).thenApply((found) -> {
			if (!found) {
				logger.warn("No index begins with the {}, whose ids are checked before {} issues numbers. {}",
						place.describe(), this.sequence.name().describe(),
						StoredIdReader.UnreadableException.withoutIndex(place));
			}
			return found;
		});
	}

	/**
	 * Finds a stored id of a range.
	 * @param numbers the highest stored numbers above the floor of its attempt
	 * @return one that there is, or nothing
	 */
	CompletionStage<Optional<StoredIdReader.Found>> anyOf(ReservedRange range, Numbers numbers) {
		return numbers.check().describingFailure(numbers.highest, WAYS_OUT).thenCompose((highest) -> {
			// A fraction beyond the range may have the number of its end.
			Optional<StoredIdReader.Found> taken = highest.stream()
				.flatMap((number) -> number.found().stream())
				.filter((found) -> found.number() >= range.min() && found.number() < range.max())
				.findFirst();
			return taken.isPresent() ? CompletableFuture.completedFuture(taken) : askFor(range, highest);
		});
	}

	/**
	 * Asks for the numbers of the range where a higher one is stored, and for its texts.
	 */
	private CompletionStage<Optional<StoredIdReader.Found>> askFor(ReservedRange range,
			List<StoredIdReader.Highest> highest) {
		List<StoredIdScope.Place> open = highest.stream()
			.filter((number) -> range.max() > HiLoIdGenerator.MAX_FLOOR || number.id().number() >= range.min())
			.map(StoredIdReader.Highest::place)
			.toList();
		var inNumbers = SideBySide.each(open,
				(place) -> this.sequence.reader().numberIn(place, range.min(), range.max(), this.deadline.left()));
		long lastText = range.min() + Math.min(range.size(), this.texts) - 1;
		var inTexts = SideBySide.each((this.texts > 0) ? this.sequence.scope().texts() : List.of(),
				(place) -> this.sequence.reader()
					.textIn(place, this.sequence.name().sequence(), range.serverPrefix(), range.min(), lastText,
							this.deadline.left()));
		return this.sequence.memory()
			.begin(this.deadline.isMostLeft())
			.describingFailure(inNumbers.thenCombine(inTexts, RangeCheck::first), WAYS_OUT)
			.thenApply((found) -> {
				if (found.isEmpty()) {
					this.sequence.memory().textsChecked(this.sequence.scope().places().size());
				}
				return found;
			});
	}

	private static Optional<StoredIdReader.Found> first(List<Optional<StoredIdReader.Found>> numbers,
			List<Optional<StoredIdReader.Found>> texts) {
		return Stream.concat(numbers.stream(), texts.stream()).flatMap(Optional::stream).findFirst();
	}

	/**
	 * The highest stored numbers above the floor of an attempt, as they are asked for.
	 */
	static final class Numbers {

		private final CheckMemory.Check check;

		private final CompletionStage<List<StoredIdReader.Highest>> highest;

		private Numbers(CheckMemory.Check check, CompletionStage<List<StoredIdReader.Highest>> highest) {
			this.check = check;
			this.highest = highest;
		}

		CheckMemory.Check check() {
			return this.check;
		}

		/**
		 * The highest of them.
		 */
		CompletionStage<HighestStoredId> highest() {
			return this.highest.thenApply(StoredIdReader.Highest::of);
		}

	}

}

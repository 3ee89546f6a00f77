package io.github.hilo.mongodb;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
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

	static final String WAYS_OUT = "Allow find there, or set " + CheckMemory.SWITCH + " to false for this sequence";

	private final StoredIdReader reader;

	private final long texts;

	/**
	 * Creates the check of one reservation.
	 * @param reader reads the ids that are stored
	 * @param issued how many numbers this process has issued
	 */
	RangeCheck(StoredIdReader reader, long issued) {
		this.reader = reader;
		this.texts = Math.max(0, MAX_TEXTS - issued);
	}

	/**
	 * Requires that a range can be checked. Where that failed a moment ago, none should
	 * be reserved.
	 */
	void requireReady() {
		if (!this.reader.numbers().isEmpty() || !placesOfTexts().isEmpty()) {
			this.reader.memory().requireReady();
		}
	}

	private List<Place> placesOfTexts() {
		return (this.texts > 0) ? this.reader.texts() : List.of();
	}

	/**
	 * Asks for the highest stored numbers above the floor of an attempt.
	 */
	CompletionStage<List<StoredId>> numbersAbove(long floor) {
		CompletionStage<List<StoredId>> numbers = this.reader.highestNumbers(floor);
		List<Place> added = this.reader.places()
			.stream()
			.filter((place) -> !place.isId() && this.reader.memory().isNew(place))
			.toList();
		CompletionStage<?> unused = SideBySide.each(added, this::warnWithoutIndex);
		return numbers;
	}

	private CompletionStage<Optional<StoredId>> warnWithoutIndex(Place place) {
		return this.reader.hasIndex(place).thenApply((found) -> {
			if (!found) {
				logger.warn("No index begins with the {}, whose ids are checked before {} issues numbers. {}",
						place.describe(), this.reader.counter().describe(),
						StoredIdReader.UnreadableException.withoutIndex(place));
			}
			return Optional.empty();
		});
	}

	/**
	 * Finds a stored id of a range.
	 * @param numbers the highest stored numbers above the floor of its attempt
	 * @return one that there is, or nothing
	 */
	CompletionStage<Optional<StoredId>> anyOf(ReservedRange range, CompletionStage<List<StoredId>> numbers) {
		return this.reader.memory()
			.described(numbers.thenCompose((highest) -> askFor(range, highest)), WAYS_OUT)
			.thenApply((found) -> {
				if (found.isEmpty()) {
					this.reader.memory().granted(range, this.reader.places());
				}
				return found;
			});
	}

	/**
	 * Asks for the numbers of the range where a higher one is stored, and for its texts.
	 */
	private CompletionStage<Optional<StoredId>> askFor(ReservedRange range, List<StoredId> highest) {
		List<Place> open = (range.max() > HiLoIdGenerator.MAX_FLOOR) ? this.reader.numbers()
				: highest.stream().filter((id) -> id.number() >= range.min()).map(StoredId::place).toList();
		long lastText = range.min() + Math.min(range.size(), this.texts) - 1;
		return this.reader.numbersIn(open, range.min(), range.max())
			.thenCombine(
					this.reader.textsIn(placesOfTexts(),
							this.reader.textsOf(range.serverPrefix(), range.min(), lastText)),
					(numbers, texts) -> Stream.concat(numbers.stream(), texts.stream()).findFirst());
	}

}

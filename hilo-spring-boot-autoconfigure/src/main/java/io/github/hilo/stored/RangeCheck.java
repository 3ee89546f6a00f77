package io.github.hilo.stored;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
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
 * A check that fails lets the reservation fail: it never counts as "free". Internal.
 *
 * @hidden
 */
public final class RangeCheck {

	/**
	 * How many numbers a process issues whose texts are checked.
	 */
	static final int MAX_TEXTS = 32;

	private static final Logger logger = LoggerFactory.getLogger(RangeCheck.class);

	static final String WAYS_OUT = "Allow find there, or set " + StoredIds.SWITCH + " to false for this sequence";

	private final StoredIdReader reader;

	private final StartCheck start;

	private final long texts;

	/**
	 * Creates the check of one reservation.
	 * @param reader reads the ids that are stored
	 * @param start checks where the counter starts
	 * @param issued how many numbers this process has issued
	 */
	RangeCheck(StoredIdReader reader, StartCheck start, long issued) {
		this.reader = reader;
		this.start = start;
		this.texts = Math.max(0, MAX_TEXTS - issued);
	}

	/**
	 * Requires that a range can be checked. Where that failed a moment ago, none should
	 * be reserved.
	 * @throws HiLoUnavailableException if it failed for a reason that lasts
	 */
	public void requireReady() {
		this.reader.ids().requireReady(this.reader.numbers());
		this.reader.ids().requireReady(placesOfTexts());
	}

	/**
	 * Whether nothing is checked.
	 * @return {@code true} if there is no place
	 */
	public boolean isEmpty() {
		return this.reader.places().isEmpty();
	}

	/**
	 * Brings a counter above the highest number that is stored.
	 * @param floor what it must reach in any case
	 * @param numbers the highest stored numbers above the floor
	 * @param raise raises it
	 * @param whenRaised runs after the raise, which may be when the reservation has ended
	 * @return what it has at least reached
	 */
	public CompletionStage<Long> raiseAbove(long floor, CompletionStage<List<StoredId>> numbers,
			LongFunction<CompletionStage<Raised>> raise, Runnable whenRaised) {
		return this.start.raiseAbove(floor, numbers, raise, whenRaised);
	}

	private List<Place> placesOfTexts() {
		return (this.texts > 0) ? this.reader.texts() : List.of();
	}

	/**
	 * Asks for the highest stored numbers above the floor of an attempt.
	 * @param floor the floor
	 * @return the highest number of each place that has one
	 */
	public CompletionStage<List<StoredId>> numbersAbove(long floor) {
		CompletionStage<List<StoredId>> numbers = this.reader.highestNumbers(floor);
		this.reader.places()
			.stream()
			.filter((place) -> !place.isId() && this.reader.ids().isNew(place))
			.forEach(this::warnWithoutIndex);
		return numbers;
	}

	private void warnWithoutIndex(Place place) {
		CompletionStage<Void> unused = this.reader.hasIndex(place).thenAccept((found) -> {
			if (!found) {
				logger.warn("No index begins with the {}, whose ids are checked before {} issues numbers. {}",
						place.describe(), this.reader.ids().describe(),
						StoredIdReader.UnreadableException.withoutIndex(place));
			}
		});
	}

	/**
	 * Finds a stored id of a range.
	 * @param range the range, of which no number was issued yet
	 * @param numbers the highest stored numbers above the floor of its attempt
	 * @return one that there is, or nothing
	 */
	public CompletionStage<Optional<StoredId>> anyOf(ReservedRange range, CompletionStage<List<StoredId>> numbers) {
		return this.reader.ids()
			.described(numbers.thenCompose((highest) -> askFor(range, highest)), WAYS_OUT)
			.thenApply((found) -> {
				if (found.isEmpty()) {
					this.reader.ids().granted(range, this.reader.places());
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

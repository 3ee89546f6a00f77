package io.github.hilo.stored;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.mongodb.Deadline;
import io.github.hilo.mongodb.StoreCommands;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;

/**
 * Checks whether the numbers of a reservation are free, which no stored document has:
 * <ol>
 * <li>Numbers, of every reservation: at the same time as the reservation, one find in
 * each place asks for the highest number above its floor. If there is none, or it lies
 * below the range, the range is free there; if it lies above, a second find asks for the
 * range itself.</li>
 * <li>Texts, of the first {@value #FIRST_TEXTS} numbers that this process issues: when
 * they are reserved, one find in each place asks for these ids.</li>
 * </ol>
 * A check that fails lets the reservation fail: it never counts as "free". Internal.
 *
 * @hidden
 */
public final class RangeCheck {

	/**
	 * How many numbers a process issues whose texts are checked.
	 */
	static final int FIRST_TEXTS = 32;

	private final StoredIdReader reader;

	private final StoredIdMemory memory;

	private final long texts;

	public RangeCheck(StoreCommands commands, StoredIdMemory memory, Deadline deadline, long issued) {
		this.reader = new StoredIdReader(commands, memory, memory.placesToCheck(), () -> deadline);
		this.memory = memory;
		this.texts = Math.max(0, FIRST_TEXTS - issued);
	}

	/**
	 * Throws if a check failed a moment ago for a reason that lasts: then none should be
	 * reserved.
	 */
	public void requireReady() {
		this.memory.requireReady(this.reader.numbers());
		this.memory.requireReady(placesOfTexts());
	}

	public boolean isEmpty() {
		return this.reader.places().isEmpty();
	}

	public CounterStart start() {
		return new CounterStart(this.reader, false);
	}

	private List<Place> placesOfTexts() {
		return (this.texts > 0) ? this.reader.texts() : List.of();
	}

	public CompletionStage<List<StoredId>> numbersAbove(long floor) {
		CompletionStage<List<StoredId>> numbers = this.reader.highestNumbers(floor);
		this.reader.places()
			.stream()
			.filter((place) -> !place.isId() && this.memory.isNew(place))
			.forEach(this.reader::warnWithoutIndex);
		return numbers;
	}

	/**
	 * Finds a stored id of a range.
	 * @param numbers the highest stored numbers above the floor of its attempt
	 */
	public CompletionStage<Optional<StoredId>> anyOf(ReservedRange range, CompletionStage<List<StoredId>> numbers) {
		return this.reader.explained(numbers.thenCompose((highest) -> askFor(range, highest)), StoredIdReader.WAYS_OUT)
			.thenApply((found) -> {
				if (found.isEmpty()) {
					this.memory.granted(range, this.reader.places());
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

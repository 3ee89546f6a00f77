package io.github.hilo.stored;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.mongodb.StoreCommands;
import io.github.hilo.store.Deadline;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;

/**
 * Checks whether the ids of a reservation are free, which no stored document has:
 * <ol>
 * <li>Numbers, at the same time as the reservation: one find in each place asks for the
 * highest number above its floor. If there is none, or it lies below the range, the range
 * is free there; if it lies above, a second find asks for the range itself.</li>
 * <li>Texts, once the range is known: one find in each place asks for those of the
 * range.</li>
 * </ol>
 * A check that fails lets the reservation fail: it never counts as "free". Internal.
 *
 * @hidden
 */
public final class RangeCheck {

	private final StoredIdReader reader;

	private final StoredIdMemory memory;

	private final String serverPrefix;

	/**
	 * Creates the check of a reservation.
	 * @throws IllegalStateException if two counters would issue the ids of one place
	 * @throws io.github.hilo.HiLoUnavailableException if a check failed a moment ago for
	 * a reason that lasts: then none should be reserved
	 */
	public RangeCheck(StoreCommands commands, StoredIdMemory memory, Deadline deadline, String serverPrefix) {
		this.reader = new StoredIdReader(commands, memory, memory.placesToCheck(), () -> deadline);
		this.memory = memory;
		this.serverPrefix = serverPrefix;
		memory.requireReady(this.reader.places());
	}

	public boolean isEmpty() {
		return this.reader.places().isEmpty();
	}

	public CounterStart start() {
		return new CounterStart(this.reader, this.serverPrefix, false);
	}

	public CompletionStage<List<StoredId>> numbersAbove(long floor) {
		CompletionStage<List<StoredId>> numbers = this.reader.highestNumbers(floor);
		this.reader.warnWithoutIndexes();
		return numbers;
	}

	/**
	 * Finds a stored id of a range.
	 * @param numbers the highest stored numbers above the floor of its attempt
	 */
	public CompletionStage<Optional<StoredId>> anyOf(ReservedRange range, CompletionStage<List<StoredId>> numbers) {
		return this.reader
			.explained(numbers.thenCompose((highest) -> this.reader.anyOf(range, undecided(range, highest))))
			.thenApply((found) -> {
				if (found.isEmpty()) {
					this.memory.granted(range, this.reader.places());
				}
				return found.stream().findFirst();
			});
	}

	/**
	 * Finds the places that must be asked for the range: those of texts, and those where
	 * a higher number is stored.
	 */
	private List<Place> undecided(ReservedRange range, List<StoredId> highest) {
		List<Place> numbers = (range.max() > HiLoIdGenerator.MAX_FLOOR) ? this.reader.numbers()
				: highest.stream().filter((id) -> id.number() >= range.min()).map(StoredId::place).toList();
		return Stream.concat(numbers.stream(), this.reader.texts().stream()).toList();
	}

}

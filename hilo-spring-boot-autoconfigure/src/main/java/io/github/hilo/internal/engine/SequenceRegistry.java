package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.sequence.ChosenMemory;
import io.github.hilo.internal.sequence.ChosenNumbers;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Holds the sequences of all databases, by database and name. A sequence is created when
 * somebody asks for it or when it must exclude a number, and is never removed.
 * <p>
 * Thread-safe: {@code databases} is a concurrent map of concurrent maps, {@code named} is
 * a concurrent map of lists that can be read while they grow, and a sequence is in both
 * before anybody can use it.
 */
final class SequenceRegistry {

	private final Creator sequences;

	private final Function<String, Places> places;

	private final Function<String, DocumentIdFormat> formats;

	private final ChosenMemory chosen;

	private final Map<String, Map<String, RangeSequence>> databases = new ConcurrentHashMap<>();

	private final Map<String, Named> named = new ConcurrentHashMap<>();

	SequenceRegistry(Creator sequences, Function<String, Places> places, Function<String, DocumentIdFormat> formats,
			ChosenMemory chosen) {
		this.sequences = sequences;
		this.places = places;
		this.formats = formats;
		this.chosen = chosen;
	}

	RangeSequence sequence(RangeStore store, String name) {
		RangeSequence sequence = existing(store, name);
		return ((sequence != null) ? sequence : create(store, name)).asked();
	}

	private RangeSequence create(RangeStore store, String name) {
		Names.requireCounterId(name, store.counterId(Names.requireSequence(name)));
		// Before, because it may run code of the application.
		Places places = this.places.apply(name);
		return this.databases.computeIfAbsent(store.database(), (absent) -> new ConcurrentHashMap<>())
			.computeIfAbsent(name, (absent) -> {
				Named named = named(absent);
				RangeSequence sequence = this.sequences.create(absent, store, places, named.chosen().inDatabase());
				named.sequences().add(sequence);
				return sequence;
			});
	}

	private Named named(String name) {
		Named named = this.named.get(name);
		return (named != null) ? named
				: this.named.computeIfAbsent(name, (absent) -> new Named(this.formats.apply(absent),
						new CopyOnWriteArrayList<>(), this.chosen.ofAllDatabases()));
	}

	/**
	 * Returns the number of a value if it must be excluded in some database, because its
	 * sequence may issue it there.
	 */
	@Nullable ChosenNumber toExclude(ChosenValue chosen) {
		boolean isOfType = chosen.known() == Place.Known.BY_TYPE;
		Named named = isOfType ? named(chosen.sequence()) : this.named.get(chosen.sequence());
		if (named == null) {
			return null;
		}
		long number = named.numberOf(chosen.value());
		boolean mustExclude = number > 0 && number <= HiLoIdGenerator.MAX_NUMBER
				&& (isOfType || named.mustExclude(number));
		return mustExclude ? new ChosenNumber(chosen.sequence(), number, chosen.known()) : null;
	}

	private @Nullable RangeSequence existing(RangeStore store, String name) {
		Map<String, RangeSequence> sequences = this.databases.get(store.database());
		return (sequences != null) ? sequences.get(name) : null;
	}

	/**
	 * Excludes a number from what its sequence issues.
	 * @param store the database, or {@code null} for all databases
	 */
	void exclude(@Nullable RangeStore store, ChosenNumber chosen) {
		if (store == null) {
			named(chosen.sequence()).exclude(chosen.number());
			return;
		}
		RangeSequence sequence = existing(store, chosen.sequence());
		if (sequence == null && chosen.isOfType()) {
			sequence = create(store, chosen.sequence());
		}
		if (sequence != null) {
			sequence.exclude(chosen.number());
		}
	}

	boolean knows(String database) {
		return this.databases.containsKey(database);
	}

	List<RangeSequence> select(@Nullable String database, @Nullable String name) {
		return this.databases.values()
			.stream()
			.flatMap((sequences) -> sequences.values().stream())
			.filter((sequence) -> database == null || database.equals(sequence.database()))
			.filter((sequence) -> name == null || name.equals(sequence.name()))
			.toList();
	}

	Map<String, Map<String, SequenceSnapshot>> show(Function<RangeSequence, SequenceSnapshot> view) {
		Map<String, Map<String, SequenceSnapshot>> databases = new TreeMap<>();
		select(null, null).stream()
			.filter(RangeSequence::isAsked)
			.forEach((sequence) -> databases.computeIfAbsent(sequence.database(), (absent) -> new TreeMap<>())
				.put(sequence.name(), view.apply(sequence)));
		return databases;
	}

	/**
	 * Creates a sequence, without code of the application.
	 */
	interface Creator {

		RangeSequence create(String name, RangeStore store, Places places, ChosenNumbers chosen);

	}

	/**
	 * The sequences of one name in all databases, the form of their ids, and what was
	 * chosen for a database that is not known.
	 */
	private record Named(DocumentIdFormat format, List<RangeSequence> sequences, ChosenNumbers chosen) {

		/**
		 * Returns the number of an id of the issued form, or a number below 1.
		 */
		long numberOf(Object id) {
			return (id instanceof Long any) ? any : this.format.numberAtEnd((String) id);
		}

		/**
		 * Excludes a number in all databases, also in those that are not met yet.
		 */
		void exclude(long number) {
			this.chosen.add(number);
			this.sequences.forEach((sequence) -> sequence.excludeFromHeld(number));
		}

		boolean mustExclude(long number) {
			for (RangeSequence sequence : this.sequences) {
				if (sequence.mustExclude(number)) {
					return true;
				}
			}
			return false;
		}

	}

}

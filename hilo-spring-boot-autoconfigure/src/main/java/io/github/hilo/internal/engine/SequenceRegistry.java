package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Holds the sequences of all databases, by database and name. A sequence is created when
 * somebody asks for it or when it must leave a number out, and is never removed.
 * <p>
 * Thread-safe: {@code databases} is a concurrent map of concurrent maps, {@code names} is
 * a concurrent set, and a sequence is in both before anybody can use it.
 */
final class SequenceRegistry {

	private final BiFunction<String, RangeStore, RangeSequence> sequences;

	private final Map<String, Map<String, RangeSequence>> databases = new ConcurrentHashMap<>();

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	SequenceRegistry(BiFunction<String, RangeStore, RangeSequence> sequences) {
		this.sequences = sequences;
	}

	RangeSequence sequence(RangeStore store, String name) {
		Map<String, RangeSequence> sequences = this.databases.get(store.database());
		RangeSequence sequence = (sequences != null) ? sequences.get(name) : null;
		return ((sequence != null) ? sequence : create(store, name)).useStore(store);
	}

	private RangeSequence create(RangeStore store, String name) {
		Names.requireCounterId(name, store.counterId(Names.requireSequence(name)));
		RangeSequence sequence = this.databases.computeIfAbsent(store.database(), (absent) -> new ConcurrentHashMap<>())
			.computeIfAbsent(name, (absent) -> this.sequences.apply(absent, store));
		this.names.add(name);
		return sequence;
	}

	boolean hasNamed(String name) {
		return this.names.contains(name);
	}

	/**
	 * Leaves an id out of what a sequence issues.
	 * @param store the database, or {@code null} for all databases
	 * @param mapped whether the sequence leaves the id out even if nobody has asked for
	 * the sequence yet
	 */
	void chosen(@Nullable RangeStore store, String name, Object id, boolean mapped) {
		if (store == null) {
			this.databases.values()
				.forEach((sequences) -> Optional.ofNullable(sequences.get(name))
					.ifPresent((sequence) -> sequence.chosen(id)));
			return;
		}
		RangeSequence sequence = this.databases.getOrDefault(store.database(), Map.of()).get(name);
		if (sequence == null && mapped) {
			sequence = create(store, name);
		}
		if (sequence != null) {
			sequence.chosen(id);
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

}

package io.github.hilo.internal.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * The sequences that were asked for, by database and name. They are here before anybody
 * can use them, and stay.
 */
final class SequenceRegistry {

	private final BiFunction<String, RangeStore, RangeSequence> sequences;

	private final Map<String, Map<String, RangeSequence>> databases = new ConcurrentHashMap<>();

	private final Map<String, List<RangeSequence>> byName = new ConcurrentHashMap<>();

	SequenceRegistry(BiFunction<String, RangeStore, RangeSequence> sequences) {
		this.sequences = sequences;
	}

	RangeSequence sequence(RangeStore store, String name) {
		Map<String, RangeSequence> sequences = this.databases.get(store.database());
		RangeSequence sequence = (sequences != null) ? sequences.get(name) : null;
		return (sequence != null) ? sequence.useStore(store) : create(store, name);
	}

	private RangeSequence create(RangeStore store, String name) {
		Names.requireCounterId(name, store.document(Names.requireSequence(name)));
		RangeSequence created = this.sequences.apply(name, store);
		RangeSequence existing = of(store.database()).putIfAbsent(name, created);
		if (existing != null) {
			return existing.useStore(store);
		}
		this.byName.computeIfAbsent(name, (absent) -> new CopyOnWriteArrayList<>()).add(created);
		return created;
	}

	List<RangeSequence> named(String name) {
		return this.byName.getOrDefault(name, List.of());
	}

	boolean knows(String database) {
		return this.databases.containsKey(database);
	}

	private Map<String, RangeSequence> of(String database) {
		return this.databases.computeIfAbsent(database, (absent) -> new ConcurrentHashMap<>());
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
		this.databases.forEach((database, sequences) -> {
			Map<String, SequenceSnapshot> snapshots = new TreeMap<>();
			sequences.forEach((name, sequence) -> snapshots.put(name, view.apply(sequence)));
			databases.put(database, snapshots);
		});
		return databases;
	}

}

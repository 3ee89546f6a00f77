package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope.Place;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;

/**
 * Refuses two counters for the numbers of one field of a collection: both would issue the
 * same number, and one document would replace another. It judges all types known by now
 * whose numbers are assigned here, because another process may save what this one does
 * not.
 * <p>
 * Thread-safe: what was found is replaced as one immutable value.
 */
final class OneCounterRule {

	private final MappedSequenceNames names;

	private final AssignmentRule rule;

	private volatile Found found = new Found(0, List.of());

	OneCounterRule(MappedSequenceNames names, AssignmentRule rule) {
		this.names = names;
		this.rule = rule;
	}

	/**
	 * Refuses two counters.
	 * @param concerned which of the conflicts matter, by a property and its sequence
	 * @throws IllegalStateException if there are two for one field
	 */
	void require(BiPredicate<AssignableProperty, String> concerned) {
		for (Conflict conflict : conflicts()) {
			if (conflict.first().matches(concerned) || conflict.second().matches(concerned)) {
				throw refused(conflict.first().property(), conflict.first().sequence(), conflict.second().property(),
						conflict.second().sequence(), conflict.first().property().entity().getCollection());
			}
		}
	}

	static IllegalStateException refused(AssignableProperty first, String firstSequence, AssignableProperty second,
			String secondSequence, String collection) {
		String what = first.isId() ? "Numeric ids" : "Numbers in " + Names.quoted(first.path());
		return new IllegalStateException(what + " of " + first.entity().getType().getName() + " count in sequence "
				+ Names.quoted(firstSequence) + ", and those of " + second.entity().getType().getName()
				+ " in sequence " + Names.quoted(secondSequence) + ", but both types are stored in collection "
				+ Names.quoted(collection) + ": two counters would give one number to two documents, and one would"
				+ " replace the other. Name one sequence for both with @HiLo(\"…\"), or put"
				+ " @HiLo(enabled = false) on one of them if it is only read.");
	}

	private List<Conflict> conflicts() {
		int types = this.names.mappings().getPersistentEntities().size();
		Found known = this.found;
		if (known.types() != types) {
			known = new Found(types, find());
			this.found = known;
		}
		return known.conflicts();
	}

	private List<Conflict> find() {
		Map<Place, Counter> counters = new HashMap<>();
		List<Conflict> conflicts = new ArrayList<>();
		Set<Class<?>> nested = this.names.annotated().nestedTypes();
		for (MongoPersistentEntity<?> entity : this.names.mappings().getPersistentEntities()) {
			for (AssignableProperty property : numbersOf(entity, nested)) {
				String sequence = sequenceOf(property);
				if (sequence != null) {
					Counter counter = new Counter(property, sequence);
					Counter first = counters
						.putIfAbsent(new Place(entity.getCollection(), property.path(), true, false, true), counter);
					if (first != null && !first.sequence().equals(sequence)) {
						conflicts.add(new Conflict(first, counter));
					}
				}
			}
		}
		return conflicts;
	}

	/**
	 * A type that is refused when it is saved itself concerns no other.
	 */
	private List<AssignableProperty> numbersOf(MongoPersistentEntity<?> entity, Set<Class<?>> nested) {
		try {
			boolean saved = !Modifier.isAbstract(entity.getType().getModifiers())
					&& !MappedSequenceNames.isCollectionExpression(entity)
					&& (entity.isAnnotationPresent(Document.class) || !nested.contains(entity.getType()));
			return saved ? this.names.countedIn(entity)
				.stream()
				.filter((property) -> property.isNumeric() && this.rule.assigns(property))
				.toList() : List.of();
		}
		catch (RuntimeException ex) {
			return List.of();
		}
	}

	/**
	 * A strategy of the user's may refuse types that are never saved with our ids.
	 */
	private @Nullable String sequenceOf(AssignableProperty property) {
		try {
			return this.names.fixedNameOf(property);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private record Counter(AssignableProperty property, String sequence) {

		boolean matches(BiPredicate<AssignableProperty, String> concerned) {
			return concerned.test(this.property, this.sequence);
		}

	}

	private record Conflict(Counter first, Counter second) {
	}

	/**
	 * What was found.
	 *
	 * @param types how many types were known
	 */
	private record Found(int types, List<Conflict> conflicts) {
	}

}

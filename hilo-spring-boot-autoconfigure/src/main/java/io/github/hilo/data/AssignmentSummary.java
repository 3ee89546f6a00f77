package io.github.hilo.data;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.hilo.store.Names;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.util.ClassUtils;

/**
 * Says in one line which of the types known by now get ids and numbers, and from which
 * sequences.
 */
final class AssignmentSummary {

	private static final int MAX_PROPERTIES = 20;

	private final IdAssignment assignment;

	private final KnownTypes types;

	private final AssignmentRule rule;

	AssignmentSummary(IdAssignment assignment, KnownTypes types, AssignmentRule rule) {
		this.assignment = assignment;
		this.types = types;
		this.rule = rule;
	}

	/**
	 * Describes the properties that get values.
	 * @throws IllegalStateException if a type carries an annotation that cannot be
	 * honoured
	 */
	String describe() {
		Set<MongoPersistentEntity<?>> documents = this.types.documents();
		// All types first: naming a sequence logs a warning about a refused one.
		List<AssignableProperty> assigned = documents.stream()
			.flatMap((entity) -> this.assignment.propertiesOf(entity).stream())
			.toList();
		List<String> properties = assigned.stream().map(this::describe).sorted().toList();
		List<String> own = documents.stream()
			.filter(this.rule::leavesToTheApplication)
			.map((entity) -> ClassUtils.getShortName(entity.getType()) + "." + entity.getRequiredIdProperty().getName())
			.sorted()
			.toList();
		return (properties.isEmpty() ? "no type known yet" : firstOf(properties)) + (own.isEmpty() ? ""
				: "; not " + firstOf(own) + ", which a constraint wants the application to set, unless @HiLo is on it");
	}

	private static String firstOf(List<String> names) {
		String first = names.stream().limit(MAX_PROPERTIES).collect(Collectors.joining(", "));
		int more = names.size() - MAX_PROPERTIES;
		return (more > 0) ? first + " and " + more + " more" : first;
	}

	private String describe(AssignableProperty property) {
		String sequence = this.types.sequenceOf(property);
		return ClassUtils.getShortName(property.entity().getType()) + "." + property.name() + " from "
				+ ((sequence != null) ? Names.quoted(sequence) : "a sequence that each save names");
	}

}

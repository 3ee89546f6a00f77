package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.util.ClassUtils;

/**
 * Says in one line which of the types known by now get ids and numbers, and from which
 * sequences.
 */
final class AssignmentSummary {

	private static final int MAX_PROPERTIES = 20;

	private final IdAssignment assignment;

	private final MappedSequenceNames names;

	private final AssignmentRule rule;

	AssignmentSummary(IdAssignment assignment, MappedSequenceNames names, AssignmentRule rule) {
		this.assignment = assignment;
		this.names = names;
		this.rule = rule;
	}

	/**
	 * Describes the properties that get values.
	 * @throws IllegalStateException if a type carries an annotation that cannot be
	 * honoured
	 */
	String describe() {
		List<String> properties = documents().flatMap((entity) -> this.assignment.propertiesOf(entity).stream())
			.map(this::describe)
			.sorted()
			.toList();
		List<String> own = documents().filter(this.rule::leavesToTheApplication)
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

	/**
	 * Finds the types that are saved themselves, as far as that can be told: not those
	 * that others hold, unless they say so.
	 */
	private Stream<? extends MongoPersistentEntity<?>> documents() {
		var entities = this.names.mappings().getPersistentEntities();
		Set<Class<?>> nested = this.names.annotated().nestedTypes();
		return entities.stream()
			.filter((entity) -> !Modifier.isAbstract(entity.getType().getModifiers()))
			.filter((entity) -> entity.isAnnotationPresent(Document.class) || !nested.contains(entity.getType()));
	}

	private String describe(AssignableProperty property) {
		String sequence = sequenceOf(property);
		return ClassUtils.getShortName(property.entity().getType()) + "." + property.name() + " from "
				+ ((sequence != null) ? Names.quoted(sequence) : "a sequence that each save names");
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

}

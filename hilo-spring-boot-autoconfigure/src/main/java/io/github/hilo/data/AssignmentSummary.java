package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.HashSet;
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

	AssignmentSummary(IdAssignment assignment, MappedSequenceNames names) {
		this.assignment = assignment;
		this.names = names;
	}

	/**
	 * Describes the properties that get values.
	 * @throws IllegalStateException if a type carries an annotation that can't be
	 * honoured
	 */
	String describe() {
		List<String> properties = documents().flatMap((entity) -> this.assignment.propertiesOf(entity).stream())
			.map(this::describe)
			.sorted()
			.toList();
		if (properties.isEmpty()) {
			return "no type known yet";
		}
		String first = properties.stream().limit(MAX_PROPERTIES).collect(Collectors.joining(", "));
		int more = properties.size() - MAX_PROPERTIES;
		return (more > 0) ? first + " and " + more + " more" : first;
	}

	/**
	 * Finds the types that are saved themselves, as far as that can be told: not those
	 * that others hold, unless they say so.
	 */
	private Stream<? extends MongoPersistentEntity<?>> documents() {
		var entities = this.names.mappings().getPersistentEntities();
		Set<Class<?>> nested = new HashSet<>();
		entities.forEach((outer) -> this.names.annotated()
			.nestedIn(outer)
			.stream()
			.map(MongoPersistentEntity::getType)
			.filter((type) -> type != outer.getType())
			.forEach(nested::add));
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

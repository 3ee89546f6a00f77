package io.github.hilo.internal.mapping;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.mongodb.core.mapping.DocumentReference;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * Logs what somebody may not expect of a type, each line once. Thread-safe: {@code said}
 * is a concurrent set, which has a few lines for each type.
 */
final class MappingLog {

	private static final Logger logger = LoggerFactory.getLogger(MappingLog.class);

	private final MappedTypes types;

	private final AssignmentRule rule;

	private final Set<String> said = ConcurrentHashMap.newKeySet();

	MappingLog(MappedTypes types, AssignmentRule rule) {
		this.types = types;
		this.rule = rule;
	}

	void notNamed(MongoPersistentEntity<?> entity, Throwable failure) {
		once((line) -> logger.warn(line, failure), "The sequences of " + entity.getType().getName()
				+ " could not be named. Each call for a number by name, and each save, tries again. Until one succeeds,"
				+ " numbers that this type has stored may be issued by name");
	}

	void notNamed(NumberedProperty property, Throwable failure) {
		once((line) -> logger.warn(line, failure), "Chosen values of " + Names.quoted(property.name()) + " of "
				+ property.entity().getType().getName() + " are not excluded while their sequence cannot be named");
	}

	void secondCounter(HiLoMappingException refused) {
		once(logger::warn, "Only one of two types can be saved. " + refused.description()
				+ " A number that is asked for one of them first decides. " + refused.action());
	}

	/**
	 * Logs that a type gets no id, although a converter or an annotation suggests that it
	 * does.
	 */
	void withoutId(MappedType type) {
		MongoPersistentProperty id = type.entity().getIdProperty();
		if (type.id() != null || (id == null && !type.isAnnotated()) || !this.rule.assignsIds(type)) {
			return;
		}
		String why = (id != null) ? this.types.converted().whyUnassigned(id) : null;
		if (why != null) {
			once(logger::warn, "Documents of " + type.name() + " get no id from hilo: " + why);
		}
		if (type.isAnnotated()) {
			once(logger::info,
					"Documents of " + type.name()
							+ " get no id from hilo, so @HiLo on the type names only the sequence of nextId("
							+ ClassUtils.getShortName(type.entity().getType()) + ".class)");
		}
	}

	void referencesThatFindNothing(MongoPersistentEntity<?> entity) {
		entity.doWithAll((property) -> Stream.ofNullable(property.getAssociationTargetType())
			.filter((target) -> property.isDocumentReference()
					&& property.getRequiredAnnotation(DocumentReference.class).lookup().contains(Place.ID))
			.flatMap((target) -> Stream.ofNullable(this.types.entityOf(target)))
			.flatMap((target) -> Stream.ofNullable(this.types.of(target).id()))
			.filter((target) -> target.converter() != null)
			.forEach((target) -> once(logger::warn,
					"@DocumentReference on " + Names.quoted(property.getName()) + " of " + entity.getType().getName()
							+ " fails or finds nothing, because Spring Data does not convert ids of type "
							+ target.property().getType().getName()
							+ " there. Use @DBRef, store the id itself, or convert to DocumentPointer")));
	}

	private void once(Consumer<String> log, String line) {
		if (this.said.add(line)) {
			log.accept(line);
		}
	}

}

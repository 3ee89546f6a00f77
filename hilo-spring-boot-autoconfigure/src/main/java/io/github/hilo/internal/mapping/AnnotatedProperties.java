package io.github.hilo.internal.mapping;

import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoMappingException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.core.TypeInformation;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoField;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;

/**
 * Finds the properties with {@link HiLo} that get numbers, and refuses those that cannot
 * get any. An annotation without an effect would be noticed too late.
 * <p>
 * Thread-safe: the fields never change, and the objects that they refer to are
 * thread-safe.
 */
final class AnnotatedProperties {

	private final MappedTypes types;

	AnnotatedProperties(MappedTypes types) {
		this.types = types;
	}

	/**
	 * Finds the properties of an entity type, without its id.
	 * @throws IllegalStateException if a property cannot get numbers, or a nested type
	 * has such properties
	 */
	List<NumberedProperty> requireNumbered(MongoPersistentEntity<?> entity) {
		requireIdThatFits(entity);
		requireProperties(entity);
		requireNoneNested(entity, new HashSet<>(Set.of(entity.getTypeInformation())), entity);
		withoutId(entity).forEach((property) -> requireFit(entity, property));
		return numbered(entity);
	}

	/**
	 * Finds the properties of an entity type, without its id, and refuses none, because
	 * the type may be one that is never saved.
	 */
	List<NumberedProperty> numbered(MongoPersistentEntity<?> entity) {
		return withoutId(entity).filter((property) -> property.getRequiredAnnotation(HiLo.class).enabled())
			.sorted((one, other) -> one.getName().compareTo(other.getName()))
			.flatMap((property) -> Stream.ofNullable(number(entity, property)))
			.toList();
	}

	private @Nullable NumberedProperty number(MongoPersistentEntity<?> entity, MongoPersistentProperty property) {
		return NumberedProperty.ofNumber(entity, property, this.types.converted());
	}

	private void requireFit(MongoPersistentEntity<?> entity, MongoPersistentProperty property) {
		MongoField field = property.getMongoField();
		if (field.getName().isKey() && field.getName().name().contains(".")) {
			throw refused(entity, property.getName(), "is stored under a name with a dot, which no query finds",
					"Give the field a name without one.");
		}
		if (number(entity, property) == null) {
			throw refused(entity, property.getName(),
					"is a " + property.getType().getName() + ", a type that gets no numbers",
					"Make it a Long, Integer, long or int for numbers, a String for document ids, or a type that"
							+ " converters write as a Long, an Integer or a String and read from that.");
		}
		if (!property.isWritable()) {
			throw refused(entity, property.getName(), "is never stored, because it is read-only",
					"Put @HiLo on another property.");
		}
	}

	private void requireIdThatFits(MongoPersistentEntity<?> entity) {
		MongoPersistentProperty id = MappedType.idOf(entity);
		if (id != null && id.findAnnotation(HiLo.class) != null && this.types.of(entity).id() == null) {
			throw refused(entity, id.getName(),
					"is an id of type " + id.getType().getName() + ", which is left to Spring Data",
					"Make it a String, long or int, or a type that converters write as one and read from it, without"
							+ " @MongoId or @Field; or put @HiLo on another property.");
		}
	}

	/**
	 * Refuses annotations on members that belong to no persistent property.
	 */
	private static void requireProperties(MongoPersistentEntity<?> entity) {
		Set<String> members = annotated(entity).flatMap(AnnotatedProperties::membersOf).collect(Collectors.toSet());
		for (Class<?> type = entity.getType(); type != null && type != Object.class; type = type.getSuperclass()) {
			Stream.concat(Stream.of(type.getDeclaredFields()), Stream.of(type.getDeclaredMethods()))
				.filter((member) -> !member.isSynthetic() && AnnotatedElementUtils.hasAnnotation(member, HiLo.class))
				.map(Member::getName)
				.filter((name) -> !members.contains(name))
				.forEach((name) -> {
					throw refused(entity, name,
							"is not a stored property, because it is static, transient or no accessor",
							"Put it on the field, the record component or the getter.");
				});
		}
	}

	/**
	 * Names the members that can carry a property's annotation: the field or record
	 * component, and the accessors.
	 */
	private static Stream<String> membersOf(MongoPersistentProperty property) {
		return Stream.concat(Stream.of(property.getName()),
				Stream.of(property.getGetter(), property.getSetter()).filter(Objects::nonNull).map(Method::getName));
	}

	/**
	 * Refuses types that are saved only within other documents.
	 */
	private void requireNoneNested(MongoPersistentEntity<?> root, Set<TypeInformation<?>> seen,
			MongoPersistentEntity<?> outer) {
		this.types.nestedIn(outer).filter((nested) -> seen.add(nested.getTypeInformation())).forEach((nested) -> {
			if (!nested.isAnnotationPresent(Document.class) && nested.getIdProperty() == null) {
				withoutId(nested).forEach((property) -> {
					throw refused(nested, property.getName(),
							"is nested in " + root.getType().getName() + ", and only documents themselves get numbers",
							"If the type is also saved to a collection, put @Document on it: inside other documents,"
									+ " the property is then ignored. Otherwise move the property to the document.");
				});
			}
			requireNoneNested(root, seen, nested);
		});
	}

	/**
	 * Finds the annotated properties without the id. A property can have the name of an
	 * id without being the id.
	 */
	private static Stream<MongoPersistentProperty> withoutId(MongoPersistentEntity<?> entity) {
		return annotated(entity).filter((property) -> !property.equals(MappedType.idOf(entity)));
	}

	static Stream<MongoPersistentProperty> annotated(MongoPersistentEntity<?> entity) {
		return MappedTypes.propertiesOf(entity).filter((property) -> property.findAnnotation(HiLo.class) != null);
	}

	private static HiLoMappingException refused(MongoPersistentEntity<?> entity, String member, String why,
			String action) {
		return new HiLoMappingException("@HiLo on '" + member + "' of " + entity.getType().getName()
				+ " cannot be honoured, because it " + why + ".", action);
	}

}

package io.github.hilo.data;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.core.TypeInformation;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoField;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;

/**
 * Finds the properties of entity types that get numbers because they carry {@link HiLo},
 * and refuses those that can't: an annotation that did nothing would be noticed late.
 * <p>
 * Thread-safe: its map is concurrent; two threads may find the same properties twice.
 */
final class AnnotatedProperties {

	private final MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings;

	private final Map<MongoPersistentEntity<?>, List<AssignableProperty>> known = new ConcurrentHashMap<>();

	AnnotatedProperties(MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings) {
		this.mappings = mappings;
	}

	/**
	 * Finds the properties of an entity type, its id apart.
	 * @param entity the type's metadata
	 * @return the properties that get numbers, sorted by name
	 * @throws IllegalStateException if one can't, or a nested type has some
	 */
	List<AssignableProperty> of(MongoPersistentEntity<?> entity) {
		List<AssignableProperty> properties = this.known.get(entity);
		if (properties == null) {
			properties = find(entity);
			this.known.put(entity, properties);
		}
		return properties;
	}

	private List<AssignableProperty> find(MongoPersistentEntity<?> entity) {
		requireIdThatFits(entity);
		requireProperties(entity);
		requireNoneNested(entity, new HashSet<>(Set.of(entity.getTypeInformation())), entity);
		annotated(entity).forEach((property) -> requireFit(entity, property));
		return in(entity);
	}

	/**
	 * Finds the properties of an entity type, its id apart, and refuses none: the type
	 * may be one that is never saved.
	 * @param entity the type's metadata
	 * @return the properties that get numbers, sorted by name
	 */
	List<AssignableProperty> in(MongoPersistentEntity<?> entity) {
		return annotated(entity).filter((property) -> annotationOf(property).enabled())
			.sorted((one, other) -> one.getName().compareTo(other.getName()))
			.flatMap((property) -> Stream.ofNullable(AssignableProperty.of(entity, property, annotationOf(property))))
			.toList();
	}

	private static void requireFit(MongoPersistentEntity<?> entity, MongoPersistentProperty property) {
		MongoField field = property.getMongoField();
		if (field.getName().isKey() && field.getName().name().contains(".")) {
			throw refused(entity, property.getName(),
					"is stored under a name with a dot, which no query finds. Give the field a name without one");
		}
		if (AssignableProperty.of(entity, property, annotationOf(property)) == null) {
			throw refused(entity, property.getName(), "is a " + property.getType().getName()
					+ ". Make it a Long, Integer, long or int for numbers, or a String for document ids");
		}
		if (!property.isWritable() || property.isVersionProperty()) {
			throw refused(entity, property.getName(), property.isVersionProperty()
					? "is the version, which Spring Data counts" : "is never stored, since it is read-only");
		}
	}

	private static void requireIdThatFits(MongoPersistentEntity<?> entity) {
		MongoPersistentProperty id = entity.getIdProperty();
		if (id != null && id.findAnnotation(HiLo.class) != null && AssignableProperty.idOf(entity) == null) {
			throw refused(entity, id.getName(), "is an id of type " + id.getType().getName()
					+ ", which is left to Spring Data. Make it a String, long or int, or put @HiLo on another property");
		}
	}

	/**
	 * Refuses annotations that no persistent property has.
	 */
	private static void requireProperties(MongoPersistentEntity<?> entity) {
		for (Class<?> type = entity.getType(); type != null && type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				requireProperty(entity, field, field, entity.getPersistentProperty(field.getName()));
			}
			for (Method method : type.getDeclaredMethods()) {
				if (!method.isSynthetic()) {
					requireProperty(entity, method, method, propertyOf(entity, method));
				}
			}
		}
	}

	private static void requireProperty(MongoPersistentEntity<?> entity, AnnotatedElement element, Member member,
			@Nullable MongoPersistentProperty property) {
		if (AnnotatedElementUtils.hasAnnotation(element, HiLo.class)
				&& (property == null || property.findAnnotation(HiLo.class) == null)) {
			throw refused(entity, member.getName(), "is no property that is stored: it is static, transient or no"
					+ " accessor. Put it on the field, the record component or the getter");
		}
	}

	private static @Nullable MongoPersistentProperty propertyOf(MongoPersistentEntity<?> entity, Method method) {
		for (MongoPersistentProperty property : entity) {
			Method getter = property.getGetter();
			Method setter = property.getSetter();
			boolean accessor = (getter != null && getter.getName().equals(method.getName()))
					|| (setter != null && setter.getName().equals(method.getName()));
			if (accessor || (entity.getType().isRecord() && property.getName().equals(method.getName()))) {
				return property;
			}
		}
		return null;
	}

	/**
	 * Refuses types that are saved as a part of others only.
	 * @param seen the types that were visited already
	 */
	private void requireNoneNested(MongoPersistentEntity<?> root, Set<TypeInformation<?>> seen,
			MongoPersistentEntity<?> outer) {
		for (MongoPersistentEntity<?> nested : nestedIn(outer)) {
			if (seen.add(nested.getTypeInformation())) {
				if (!mayBeDocument(nested)) {
					annotated(nested).findFirst().ifPresent((property) -> {
						throw refused(nested, property.getName(), "is nested in " + root.getType().getName()
								+ ", and only documents themselves get numbers. If the type is saved to a collection as"
								+ " well, put @Document on it; inside other documents the property stays as it is then."
								+ " Otherwise move the property to the document");
					});
				}
				requireNoneNested(root, seen, nested);
			}
		}
	}

	private static boolean mayBeDocument(MongoPersistentEntity<?> entity) {
		return entity.isAnnotationPresent(Document.class) || entity.getIdProperty() != null;
	}

	/**
	 * Finds the types that others hold.
	 */
	Set<Class<?>> nestedTypes() {
		Set<Class<?>> nested = new HashSet<>();
		this.mappings.getPersistentEntities()
			.forEach((outer) -> nestedIn(outer).stream()
				.map(MongoPersistentEntity::getType)
				.filter((type) -> type != outer.getType())
				.forEach(nested::add));
		return nested;
	}

	/**
	 * Finds the types that are stored within the documents of an entity type.
	 */
	List<MongoPersistentEntity<?>> nestedIn(MongoPersistentEntity<?> outer) {
		List<MongoPersistentEntity<?>> nested = new ArrayList<>();
		for (MongoPersistentProperty property : outer) {
			if (!property.isAssociation()) {
				for (TypeInformation<?> type : property.getPersistentEntityTypeInformation()) {
					MongoPersistentEntity<?> entity = this.mappings.getPersistentEntity(type);
					if (entity != null) {
						nested.add(entity);
					}
				}
			}
		}
		return nested;
	}

	/**
	 * Finds the annotated properties but for the id: one may have the name of an id and
	 * be none.
	 */
	private static Stream<MongoPersistentProperty> annotated(MongoPersistentEntity<?> entity) {
		List<MongoPersistentProperty> properties = new ArrayList<>();
		entity.forEach(properties::add);
		return properties.stream()
			.filter((property) -> property.findAnnotation(HiLo.class) != null && !entity.isIdProperty(property));
	}

	private static HiLo annotationOf(MongoPersistentProperty property) {
		return property.getRequiredAnnotation(HiLo.class);
	}

	private static IllegalStateException refused(MongoPersistentEntity<?> entity, String member, String why) {
		return new IllegalStateException(
				"@HiLo on '" + member + "' of " + entity.getType().getName() + " can't be honoured: it " + why + ".");
	}

}

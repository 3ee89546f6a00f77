package io.github.hilo.internal.mapping;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.StringUtils;

/**
 * The {@link HiLo} annotation for the ids of an entity type, which is on the type or on
 * its id property.
 *
 * @param enabled whether the annotation switches ids on
 * @param sequence the sequence that the annotation names, or {@code null}
 */
record IdAnnotation(boolean present, boolean enabled, @Nullable String sequence) {

	/**
	 * Reads the annotations of an entity type.
	 * @throws IllegalStateException if the type and its id property name two sequences,
	 * or one of them names an expression
	 */
	static IdAnnotation of(MongoPersistentEntity<?> entity) {
		HiLo onType = entity.findAnnotation(HiLo.class);
		MongoPersistentProperty id = idOf(entity);
		HiLo onId = (id != null) ? id.findAnnotation(HiLo.class) : null;
		String ofType = sequenceOf(onType, entity);
		String ofId = sequenceOf(onId, entity);
		if (id != null && ofType != null && ofId != null && !ofType.equals(ofId)) {
			throw new HiLoMappingException("@HiLo names sequence " + Names.quoted(ofType) + " on "
					+ entity.getType().getName() + " and sequence " + Names.quoted(ofId) + " on its id property "
					+ Names.quoted(id.getName()) + ".", "Keep one of the two names.");
		}
		boolean enabled = (onType == null || onType.enabled()) && (onId == null || onId.enabled());
		return new IdAnnotation(onType != null || onId != null, enabled, (ofType != null) ? ofType : ofId);
	}

	/**
	 * Finds the id property of an entity type. Without one for Spring Data, a property
	 * with {@link HiLo} that is stored as {@code _id} is the id.
	 */
	static @Nullable MongoPersistentProperty idOf(MongoPersistentEntity<?> entity) {
		MongoPersistentProperty id = entity.getIdProperty();
		return (id != null) ? id
				: AnnotatedProperties.annotated(entity)
					.filter((property) -> property.getFieldName().equals(Place.ID))
					.findFirst()
					.orElse(null);
	}

	/**
	 * Returns the sequence that an annotation names, or {@code null}.
	 * @throws IllegalStateException if the name is an expression
	 */
	static @Nullable String sequenceOf(@Nullable HiLo annotation, MongoPersistentEntity<?> entity) {
		if (annotation == null || !StringUtils.hasText(annotation.sequence())) {
			return null;
		}
		if (Names.isExpression(annotation.sequence())) {
			throw new HiLoMappingException(
					"@HiLo names sequence " + Names.quoted(annotation.sequence()) + " in " + entity.getType().getName()
							+ ", but the name of a sequence is literal: expressions in it are not evaluated.",
					"Write the name itself. If the name of an id's sequence depends on settings, leave the name out and"
							+ " declare a HiLoNamingStrategy bean.");
		}
		return annotation.sequence();
	}

}

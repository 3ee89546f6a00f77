package io.github.hilo.internal.mapping;

import java.lang.reflect.Modifier;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.StringUtils;

/**
 * What the metadata of an entity type says about its ids. {@link HiLo} is on the type or
 * on its id property.
 *
 * @param id the id property, or {@code null} if Spring Data creates the ids
 * @param annotated whether there is an annotation for the ids
 * @param enabled whether the annotation switches ids on
 * @param sequence the sequence that the annotation names, or {@code null}
 */
record MappedType(MongoPersistentEntity<?> entity, @Nullable NumberedProperty id, boolean annotated, boolean enabled,
		@Nullable String sequence) {

	/**
	 * Reads a type.
	 * @throws IllegalStateException if the type and its id property name two sequences,
	 * or one of them names an expression
	 */
	static MappedType of(MongoPersistentEntity<?> entity, ConvertedTypes converted) {
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
		String sequence = (ofType != null) ? ofType : ofId;
		return new MappedType(entity, (id != null) ? NumberedProperty.ofId(entity, id, sequence, converted) : null,
				onType != null || onId != null,
				(onType == null || onType.enabled()) && (onId == null || onId.enabled()), sequence);
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

	String name() {
		return this.entity.getType().getName();
	}

	/**
	 * Whether instances are saved themselves, as far as metadata shows: the type is not
	 * abstract, or names its own collection or sequence.
	 */
	boolean isDocument() {
		Document document = this.entity.findAnnotation(Document.class);
		return !isAbstract(this.entity) || (document != null && StringUtils.hasText(document.collection()))
				|| this.sequence != null;
	}

	/**
	 * Returns whether all instances are saved to the same collection, unless a save names
	 * another one.
	 */
	boolean hasFixedCollection() {
		return collectionExpressionOf(this.entity) == null;
	}

	static boolean isAbstract(MongoPersistentEntity<?> entity) {
		return Modifier.isAbstract(entity.getType().getModifiers());
	}

	/**
	 * Returns the expression that names the collection of a type, or {@code null}.
	 */
	static @Nullable String collectionExpressionOf(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return (document != null && Names.isExpression(document.collection())) ? document.collection() : null;
	}

}

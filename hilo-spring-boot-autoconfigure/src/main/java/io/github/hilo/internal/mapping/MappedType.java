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
 * on its id property. Thread-safe: what is read when it is first asked for is volatile,
 * and each thread reads the same.
 */
final class MappedType {

	private final MongoPersistentEntity<?> entity;

	private final ConvertedTypes converted;

	private final @Nullable MongoPersistentProperty idProperty;

	private final @Nullable HiLo onType;

	private final @Nullable HiLo onId;

	private final @Nullable String collectionExpression;

	// Not before it is asked for, because the annotations can contradict each other.
	private volatile @Nullable Read<String> sequence;

	// Not before it is asked for, because converters can fail.
	private volatile @Nullable Read<NumberedProperty> id;

	MappedType(MongoPersistentEntity<?> entity, ConvertedTypes converted) {
		this.entity = entity;
		this.converted = converted;
		this.idProperty = idOf(entity);
		this.onType = entity.findAnnotation(HiLo.class);
		this.onId = (this.idProperty != null) ? this.idProperty.findAnnotation(HiLo.class) : null;
		this.collectionExpression = collectionExpressionOf(entity);
	}

	MongoPersistentEntity<?> entity() {
		return this.entity;
	}

	/**
	 * Returns whether there is an annotation for the ids.
	 */
	boolean isAnnotated() {
		return this.onType != null || this.onId != null;
	}

	/**
	 * Returns whether the annotations switch ids on.
	 */
	boolean isEnabled() {
		return (this.onType == null || this.onType.enabled()) && (this.onId == null || this.onId.enabled());
	}

	/**
	 * Returns the sequence that an annotation names, or {@code null}.
	 * @throws IllegalStateException if the type and its id property name two sequences,
	 * or one of them names an expression
	 */
	@Nullable String sequence() {
		Read<String> known = this.sequence;
		if (known == null) {
			known = new Read<>(readSequence());
			this.sequence = known;
		}
		return known.value();
	}

	private @Nullable String readSequence() {
		String ofType = sequenceOf(this.onType, this.entity);
		String ofId = sequenceOf(this.onId, this.entity);
		if (this.idProperty != null && ofType != null && ofId != null && !ofType.equals(ofId)) {
			throw new HiLoMappingException("@HiLo names sequence " + Names.quoted(ofType) + " on " + name()
					+ " and sequence " + Names.quoted(ofId) + " on its id property "
					+ Names.quoted(this.idProperty.getName()) + ".", "Keep one of the two names.");
		}
		return (ofType != null) ? ofType : ofId;
	}

	/**
	 * Returns the id property, or {@code null} if Spring Data creates the ids.
	 * @throws IllegalStateException as {@link #sequence} does
	 */
	@Nullable NumberedProperty id() {
		Read<NumberedProperty> known = this.id;
		if (known == null) {
			known = new Read<>(
					(this.idProperty != null) ? NumberedProperty.ofId(this, this.idProperty, this.converted) : null);
			this.id = known;
		}
		return known.value();
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
				|| sequence() != null;
	}

	/**
	 * Returns whether all instances are saved to the same collection, unless a save names
	 * another one.
	 */
	boolean hasFixedCollection() {
		return this.collectionExpression == null;
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

	/**
	 * What was read, which can be nothing.
	 */
	private record Read<T>(@Nullable T value) {
	}

}

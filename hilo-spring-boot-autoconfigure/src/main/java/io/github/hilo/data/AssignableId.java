package io.github.hilo.data;

import java.util.Set;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * The id property of an entity type, if it is one that can hold our ids: a {@code String}
 * that is stored as one, or a {@code long} or {@code int}, boxed or not.
 * <p>
 * Thread-safe.
 */
final class AssignableId {

	private static final Set<Class<?>> NUMERIC = Set.of(Long.class, Integer.class);

	private final MongoPersistentEntity<?> entity;

	private final MongoPersistentProperty property;

	private final Class<?> type;

	private AssignableId(MongoPersistentEntity<?> entity, MongoPersistentProperty property, Class<?> type) {
		this.entity = entity;
		this.property = property;
		this.type = type;
	}

	/**
	 * Finds the id property of an entity type.
	 * @param entity the type's metadata
	 * @return the property, or {@code null} if ids of this type are left to Spring Data
	 */
	static @Nullable AssignableId of(MongoPersistentEntity<?> entity) {
		MongoPersistentProperty property = entity.getIdProperty();
		if (property == null) {
			return null;
		}
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(property.getType());
		boolean text = type == String.class
				&& (!property.hasExplicitWriteTarget() || property.getFieldType() == String.class);
		return (text || NUMERIC.contains(type)) ? new AssignableId(entity, property, type) : null;
	}

	boolean isNumeric() {
		return this.type != String.class;
	}

	/**
	 * Whether an entity has no id yet. {@code isNew()} would not do: versions and
	 * {@code Persistable} distort it.
	 */
	boolean isMissing(Object bean) {
		Object id = this.entity.getIdentifierAccessor(bean).getIdentifier();
		return id == null || (this.property.getType().isPrimitive() && ((Number) id).longValue() == 0);
	}

	/**
	 * Gives an entity its id.
	 * @param bean the entity
	 * @param documentId the id, where ids are texts
	 * @return the entity with its id: a new instance where the type is immutable
	 */
	Object assign(Object bean, String documentId) {
		return set(bean, documentId);
	}

	/**
	 * Gives an entity its id.
	 * @param bean the entity
	 * @param number the id, where ids are numbers
	 * @param sequence the sequence that it came from
	 * @return the entity with its id: a new instance where the type is immutable
	 */
	Object assign(Object bean, long number, String sequence) {
		if (this.type == Long.class) {
			return set(bean, number);
		}
		if (number > Integer.MAX_VALUE) {
			throw new HiLoExhaustedException(
					"Number " + number + " of sequence " + Names.quoted(sequence) + " does not fit the int id of "
							+ this.entity.getType().getName() + ", which holds at most " + Integer.MAX_VALUE
							+ ". Make the id a long, or lower the counter if it was set too high by mistake.");
		}
		return set(bean, (int) number);
	}

	private Object set(Object bean, Object id) {
		var accessor = this.entity.getPropertyAccessor(bean);
		accessor.setProperty(this.property, id);
		return accessor.getBean();
	}

}

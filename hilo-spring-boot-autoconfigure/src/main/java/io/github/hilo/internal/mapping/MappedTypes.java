package io.github.hilo.internal.mapping;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.util.ProxyUtils;
import org.springframework.data.util.Streamable;

/**
 * Reads the types of the mapping context.
 * <p>
 * Thread-safe: {@code documents} is a concurrent map, which has the types that are asked
 * for, and the other fields are final and thread-safe.
 */
final class MappedTypes {

	private final Supplier<? extends MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings;

	private final ConvertedTypes converted;

	// Reading a type takes a hundred times as long as issuing an id.
	private final Map<Class<?>, MappedType> documents = new ConcurrentHashMap<>();

	MappedTypes(
			Supplier<? extends MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings,
			ConvertedTypes converted) {
		this.mappings = mappings;
		this.converted = converted;
	}

	ConvertedTypes converted() {
		return this.converted;
	}

	Collection<? extends MongoPersistentEntity<?>> all() {
		return this.mappings.get().getPersistentEntities();
	}

	MappedType of(MongoPersistentEntity<?> entity) {
		return new MappedType(entity, this.converted);
	}

	/**
	 * Reads a type whose instances are saved.
	 * @throws IllegalArgumentException if they are not
	 */
	MappedType ofDocument(Class<?> entityType) {
		MappedType cached = this.documents.get(entityType);
		if (cached == null) {
			cached = readDocument(ProxyUtils.getUserClass(entityType));
			this.documents.put(entityType, cached);
		}
		return cached;
	}

	/**
	 * Returns whether the instances of a type are all saved to one collection.
	 */
	boolean hasFixedCollection(Class<?> entityType) {
		MappedType cached = this.documents.get(entityType);
		if (cached != null) {
			return cached.hasFixedCollection();
		}
		MongoPersistentEntity<?> entity = entityOf(ProxyUtils.getUserClass(entityType));
		// A type without a collection is refused when it is named.
		return entity == null || of(entity).hasFixedCollection();
	}

	private MappedType readDocument(Class<?> type) {
		MongoPersistentEntity<?> entity = entityOf(type);
		if (entity == null) {
			throw new IllegalArgumentException(type.getName() + " is not mapped to a collection."
					+ " Pass the class of a document, or the name of the sequence as a string.");
		}
		MappedType read = of(entity);
		if (!read.isDocument()) {
			throw new IllegalArgumentException(
					type.getName() + " is " + (type.isInterface() ? "an interface" : "abstract")
							+ " and names no collection. Pass the class that is saved, put @Document(\"…\") or"
							+ " @HiLo(sequence = \"…\") on it, or pass the name of the sequence as a string.");
		}
		return read;
	}

	boolean isKnown(Class<?> type) {
		return this.mappings.get().hasPersistentEntityFor(type);
	}

	/**
	 * Finds the metadata of a type, which becomes known, or {@code null} if its instances
	 * are no entities.
	 */
	@Nullable MongoPersistentEntity<?> entityOf(Class<?> type) {
		if (type.isPrimitive() || type.isArray() || type.isEnum() || Map.class.isAssignableFrom(type)
				|| type.getName().startsWith("java.")) {
			return null;
		}
		return this.mappings.get().getPersistentEntity(type);
	}

	/**
	 * Finds the types with {@code @Document} and those that no other type holds. The
	 * result includes abstract types, because a repository of an abstract type saves
	 * subtypes to its collection.
	 */
	Set<MongoPersistentEntity<?>> roots() {
		Set<Class<?>> nested = all().stream()
			.flatMap((outer) -> nestedIn(outer).map(MongoPersistentEntity::getType)
				.filter((type) -> type != outer.getType()))
			.collect(Collectors.toSet());
		return all().stream()
			.filter((entity) -> entity.isAnnotationPresent(Document.class) || !nested.contains(entity.getType()))
			.collect(Collectors.toSet());
	}

	Stream<MongoPersistentEntity<?>> nestedIn(MongoPersistentEntity<?> outer) {
		return propertiesOf(outer).filter((property) -> !property.isAssociation())
			.flatMap((property) -> Streamable.of(property.getPersistentEntityTypeInformation()).stream())
			.flatMap((type) -> Stream.ofNullable(this.mappings.get().getPersistentEntity(type)));
	}

	static Stream<MongoPersistentProperty> propertiesOf(MongoPersistentEntity<?> entity) {
		return StreamSupport.stream(entity.spliterator(), false);
	}

}

package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.engine.EntitySequenceNames;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScopes;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.StringUtils;

/**
 * Names sequences from the mapping metadata: {@link HiLo#sequence()}, or else the naming
 * strategy's answer for the type and the collection that it is saved to. A collection
 * that is an expression is evaluated on every call. Internal.
 * <p>
 * Numeric ids of one collection have to come from one counter, whatever type they are
 * saved as: two counters would issue the same number twice. The first counter that a
 * collection was given is remembered, and a second one is refused.
 * <p>
 * Thread-safe.
 */
public final class MappedSequenceNames implements EntitySequenceNames {

	private final MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings;

	private final HiLoNamingStrategy naming;

	private final Map<String, String> numericSequences = new ConcurrentHashMap<>();

	private final MappedIdScopes scopes;

	/**
	 * Creates the names for a generator whose ranges can't be returned from here.
	 * @param mappings the entity types' metadata
	 * @param naming names what no annotation names
	 */
	public MappedSequenceNames(MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings,
			HiLoNamingStrategy naming) {
		this(mappings, naming, RangeRelease.NONE);
	}

	/**
	 * Creates the names.
	 * @param mappings the entity types' metadata
	 * @param naming names what no annotation names
	 * @param release returns ranges that were looked at without a collection
	 */
	public MappedSequenceNames(MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings,
			HiLoNamingStrategy naming, RangeRelease release) {
		this.mappings = mappings;
		this.naming = naming;
		this.scopes = new MappedIdScopes(mappings, this, release);
	}

	/**
	 * Returns which stored ids count in the sequences.
	 * @return the scopes, by the types known when they are asked
	 */
	public StoredIdScopes storedIdScopes() {
		return this.scopes;
	}

	MappedIdScopes scopes() {
		return this.scopes;
	}

	@Override
	public String nameOf(Class<?> entityType) {
		Class<?> type = ProxyUtils.getUserClass(entityType);
		MongoPersistentEntity<?> entity = entityOf(type);
		if (entity == null) {
			throw new IllegalArgumentException(type.getName() + " is not mapped to a collection."
					+ " Pass the class of a document, or the name of the sequence as a string.");
		}
		if (Modifier.isAbstract(type.getModifiers()) && !namesCollection(entity)) {
			throw new IllegalArgumentException(
					type.getName() + " is " + (type.isInterface() ? "an interface" : "abstract")
							+ " and names no collection. Pass the class that is saved, put @Document(\"…\") or"
							+ " @HiLo(sequence = \"…\") on it, or pass the name of the sequence as a string.");
		}
		return nameOf(entity, AssignableId.of(entity), entity.getCollection());
	}

	@Override
	public boolean isFixed(Class<?> entityType) {
		MongoPersistentEntity<?> entity = entityOf(ProxyUtils.getUserClass(entityType));
		return entity == null || !isCollectionExpression(entity);
	}

	/**
	 * Whether the collection of an entity type has to be evaluated for each save.
	 */
	static boolean isCollectionExpression(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return document != null && (document.collection().contains("#{") || document.collection().contains("${"));
	}

	/**
	 * Names the sequence of an entity type without evaluating an expression.
	 * @param entity the entity type's metadata
	 * @return the exact name of the counter, or {@code null} if it can't be told
	 */
	@Nullable String fixedNameOf(MongoPersistentEntity<?> entity) {
		String annotated = annotatedNameOf(entity);
		if (annotated != null || isCollectionExpression(entity)) {
			return annotated;
		}
		return this.naming.sequenceName(entity.getType(), entity.getCollection());
	}

	/**
	 * Names the sequence of a save.
	 * @param entity the entity type's metadata
	 * @param id the entity type's id property, if it can hold our ids
	 * @param collection the collection that the entity is saved to
	 * @return the exact name of the counter
	 */
	String nameOf(MongoPersistentEntity<?> entity, @Nullable AssignableId id, String collection) {
		String annotated = annotatedNameOf(entity);
		String sequence = (annotated != null) ? annotated : this.naming.sequenceName(entity.getType(), collection);
		if (!StringUtils.hasText(sequence)) {
			throw new IllegalStateException("The naming strategy " + this.naming.getClass().getName()
					+ " gave a blank sequence name for " + entity.getType().getName() + " in collection "
					+ Names.quoted(collection) + ". Return the name of a counter.");
		}
		if (id != null && id.isNumeric()) {
			requireOneCounter(entity.getType(), collection, sequence);
		}
		return sequence;
	}

	/**
	 * Names the collection that an entity type is saved to.
	 * @param entityType a type that has a sequence
	 * @return the collection's name
	 */
	String collectionOf(Class<?> entityType) {
		return this.mappings.getRequiredPersistentEntity(ProxyUtils.getUserClass(entityType)).getCollection();
	}

	/**
	 * Names the sequences that the ids of a collection count in.
	 * @param collection the collection's name
	 * @return the sequences of the entity types known by now that are saved to it, of
	 * abstract ones where no other is known, or else the collection's own name
	 */
	Set<String> sequencesOf(String collection) {
		Set<String> sequences = sequencesOf(collection, false);
		if (sequences.isEmpty()) {
			sequences = sequencesOf(collection, true);
		}
		return sequences.isEmpty() ? Set.of(collection) : sequences;
	}

	private Set<String> sequencesOf(String collection, boolean ofAbstractTypes) {
		Set<String> sequences = new TreeSet<>();
		for (MongoPersistentEntity<?> entity : this.mappings.getPersistentEntities()) {
			AssignableId id = AssignableId.of(entity);
			if (id != null && Modifier.isAbstract(entity.getType().getModifiers()) == ofAbstractTypes
					&& entity.getCollection().equals(collection)) {
				sequences.add(nameOf(entity, id, collection));
			}
		}
		return sequences;
	}

	/**
	 * Finds the metadata of an entity type.
	 * @param type any type
	 * @return its metadata, or {@code null} if instances are not entities
	 */
	@Nullable MongoPersistentEntity<?> entityOf(Class<?> type) {
		if (type.isPrimitive() || type.isArray() || type.isEnum() || Map.class.isAssignableFrom(type)
				|| type.getName().startsWith("java.")) {
			return null;
		}
		return this.mappings.getPersistentEntity(type);
	}

	private void requireOneCounter(Class<?> type, String collection, String sequence) {
		String first = this.numericSequences.putIfAbsent(collection, sequence);
		if (first != null && !first.equals(sequence)) {
			throw new IllegalStateException("Numeric ids of " + type.getName() + " would count in sequence "
					+ Names.quoted(sequence) + ", but those of collection " + Names.quoted(collection)
					+ " already count in " + Names.quoted(first) + ", and two counters would give one number to two"
					+ " documents. Name one sequence with @HiLo(sequence = \"…\") on every type that is saved to"
					+ " the collection, or set hilo.naming to collection.");
		}
	}

	/**
	 * Whether an entity type says itself where its ids count.
	 */
	static boolean namesCollection(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return (document != null && StringUtils.hasText(document.collection())) || annotatedNameOf(entity) != null;
	}

	private static @Nullable String annotatedNameOf(MongoPersistentEntity<?> entity) {
		HiLo annotation = entity.findAnnotation(HiLo.class);
		return (annotation != null && StringUtils.hasText(annotation.sequence())) ? annotation.sequence() : null;
	}

}

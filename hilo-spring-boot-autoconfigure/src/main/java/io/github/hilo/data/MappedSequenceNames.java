package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.engine.EntitySequenceNames;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScope.Place;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.StringUtils;

/**
 * Names sequences from the mapping metadata. Those of ids: {@link HiLo#sequence()}, or
 * else the naming strategy's answer for the type and the collection that it is saved to.
 * Those of other properties: {@link HiLo#sequence()}, or else
 * {@code <collection>.<stored field name>}. A collection that is an expression is
 * evaluated on every call. Internal.
 * <p>
 * Numbers of one field of a collection must come from one counter, whatever type they are
 * saved as: the first counter that a save has named for a field is remembered, and a
 * second one is refused. What metadata tells is judged by {@link OneCounterRule}.
 * <p>
 * Thread-safe: its maps are concurrent, and one {@code putIfAbsent} decides which counter
 * a field has.
 *
 * @hidden
 */
public final class MappedSequenceNames implements EntitySequenceNames {

	private final MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings;

	private final Supplier<HiLoNamingStrategy> naming;

	private final AnnotatedProperties annotated;

	private final Map<Place, Counter> counters = new ConcurrentHashMap<>();

	/**
	 * Creates the names.
	 * @param mappings the entity types' metadata
	 * @param naming supplies what names the ids' sequences where no annotation does,
	 * always the same, when it is first needed: it may depend on beans that need the
	 * engine
	 */
	public MappedSequenceNames(MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings,
			Supplier<HiLoNamingStrategy> naming) {
		this.mappings = mappings;
		this.naming = new OnceSupplied<>(naming);
		this.annotated = new AnnotatedProperties(mappings);
	}

	MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings() {
		return this.mappings;
	}

	/**
	 * Returns what finds the properties with {@link HiLo}.
	 */
	AnnotatedProperties annotated() {
		return this.annotated;
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
		return sequenceOf(entity, IdRule.of(entity).sequence(), entity.getCollection());
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
	 * Names the sequence of a property without evaluating an expression.
	 * @return the exact name of the counter, or {@code null} if it can't be told
	 */
	@Nullable String fixedNameOf(AssignableProperty property) {
		MongoPersistentEntity<?> entity = property.entity();
		String annotated = property.annotatedSequence();
		if (annotated != null || isCollectionExpression(entity)) {
			return annotated;
		}
		return property.isId() ? this.naming.get().sequenceName(entity.getType(), entity.getCollection())
				: defaultNameOf(entity.getCollection(), property.path());
	}

	/**
	 * Names the sequence of a property that is not the id, where no annotation does.
	 */
	static String defaultNameOf(String collection, String path) {
		return collection + "." + path;
	}

	/**
	 * Names the sequence of a save.
	 * @param property the property that needs a value
	 * @param collection the collection that the entity is saved to
	 * @return the exact name of the counter
	 * @throws IllegalStateException if numbers of that field come from another counter
	 */
	String nameOf(AssignableProperty property, String collection) {
		String sequence = sequenceOf(property, collection);
		requireOneCounter(property, collection, sequence);
		return sequence;
	}

	private String sequenceOf(AssignableProperty property, String collection) {
		if (property.isId()) {
			return sequenceOf(property.entity(), property.annotatedSequence(), collection);
		}
		String annotated = property.annotatedSequence();
		return (annotated != null) ? annotated : defaultNameOf(collection, property.path());
	}

	private String sequenceOf(MongoPersistentEntity<?> entity, @Nullable String annotated, String collection) {
		String sequence = (annotated != null) ? annotated
				: this.naming.get().sequenceName(entity.getType(), collection);
		if (!StringUtils.hasText(sequence)) {
			throw new IllegalArgumentException("The naming strategy " + this.naming.get().getClass().getName()
					+ " gave a blank sequence name for " + entity.getType().getName() + " in collection "
					+ Names.quoted(collection) + ". Return the name of a counter.");
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
	 * Finds the sequences that the ids and numbers of a collection count in.
	 * @param collection the collection's name
	 * @return the sequences of the entity types known by now that are saved to it, of
	 * abstract ones where no other is known, or else the collection's own name; and which
	 * fields of the collection count in each
	 */
	Map<String, StoredIdScope> sequencesOf(String collection) {
		Map<String, StoredIdScope> sequences = sequencesOf(collection, false);
		if (sequences.isEmpty()) {
			sequences = sequencesOf(collection, true);
		}
		return sequences.isEmpty() ? Map.of(collection, scope(Set.of(place(collection, Place.ID)))) : sequences;
	}

	/**
	 * Finds the fields of a collection that count in a sequence.
	 * @param collection the collection's name
	 * @param sequence the sequence's name
	 * @return the fields, by the types known by now, or else {@code _id}
	 */
	StoredIdScope scopeOf(String collection, String sequence) {
		return sequencesOf(collection).getOrDefault(sequence, scope(Set.of(place(collection, Place.ID))));
	}

	private Map<String, StoredIdScope> sequencesOf(String collection, boolean ofAbstractTypes) {
		Map<String, Set<Place>> sequences = new TreeMap<>();
		for (MongoPersistentEntity<?> entity : this.mappings.getPersistentEntities()) {
			List<AssignableProperty> counted = countedIn(entity);
			if (!counted.isEmpty() && Modifier.isAbstract(entity.getType().getModifiers()) == ofAbstractTypes
					&& entity.getCollection().equals(collection)) {
				for (AssignableProperty property : counted) {
					sequences.computeIfAbsent(sequenceOf(property, collection), (name) -> new LinkedHashSet<>())
						.add(place(collection, property.path()));
				}
			}
		}
		Map<String, StoredIdScope> scopes = new TreeMap<>();
		sequences.forEach((sequence, fields) -> scopes.put(sequence, scope(fields)));
		return scopes;
	}

	private static StoredIdScope scope(Set<Place> places) {
		return new StoredIdScope(List.copyOf(places), true);
	}

	private static Place place(String collection, String path) {
		return new Place(collection, path, true, true, true);
	}

	/**
	 * Finds the properties of an entity type that count in a sequence, whether or not
	 * they get their values from it.
	 */
	List<AssignableProperty> countedIn(MongoPersistentEntity<?> entity) {
		List<AssignableProperty> properties = new ArrayList<>(this.annotated.in(entity));
		AssignableProperty id = AssignableProperty.idOf(entity);
		if (id != null) {
			properties.add(id);
		}
		return properties;
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

	/**
	 * Saves may name other collections than metadata does.
	 */
	private void requireOneCounter(AssignableProperty property, String collection, String sequence) {
		if (!property.isNumeric()) {
			return;
		}
		Place place = place(collection, property.path());
		Counter known = this.counters.get(place);
		if (known == null) {
			known = this.counters.putIfAbsent(place, new Counter(property, Names.requireSequence(sequence)));
		}
		if (known != null && !known.sequence().equals(sequence)) {
			throw OneCounterRule.refused(known.property(), known.sequence(), property, sequence, collection);
		}
	}

	/**
	 * Whether an entity type says itself where its ids count.
	 */
	static boolean namesCollection(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return (document != null && StringUtils.hasText(document.collection())) || IdRule.of(entity).sequence() != null;
	}

	/**
	 * The first counter that numbers of a field came from.
	 */
	private record Counter(AssignableProperty property, String sequence) {
	}

}

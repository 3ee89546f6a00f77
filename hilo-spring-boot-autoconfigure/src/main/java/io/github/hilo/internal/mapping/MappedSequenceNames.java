package io.github.hilo.internal.mapping;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.StringUtils;

/**
 * Names the sequences of entity types and properties. {@link HiLo#sequence()} takes
 * precedence. Otherwise the naming strategy names the sequence of ids by the type and the
 * collection, and another property counts in {@code <collection>.<stored field name>}. A
 * collection that is an expression is evaluated on every call.
 * <p>
 * Thread-safe: the suppliers return the same thread-safe objects on every call, and
 * {@code ids} and {@code ravenNames} are concurrent maps.
 */
public final class MappedSequenceNames {

	private final Supplier<? extends MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings;

	private final Supplier<HiLoNamingStrategy> naming;

	private final AnnotatedProperties annotated;

	private final OwnTypes own;

	// By type. Reading them takes a hundred times as long as issuing an id.
	private final Map<Class<?>, Ids> ids = new ConcurrentHashMap<>();

	// Inflecting takes as long.
	private final Map<Class<?>, String> ravenNames = new ConcurrentHashMap<>();

	/**
	 * @param naming supplies the naming strategy when a name is first needed, because the
	 * strategy may depend on beans that need the engine
	 */
	public MappedSequenceNames(
			Supplier<? extends MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings,
			Supplier<HiLoNamingStrategy> naming, Supplier<List<MongoConverter>> converters) {
		this.mappings = mappings;
		this.naming = naming;
		this.own = new OwnTypes(converters);
		this.annotated = new AnnotatedProperties(this::mappings, this.own);
	}

	public MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings() {
		return this.mappings.get();
	}

	AnnotatedProperties annotated() {
		return this.annotated;
	}

	OwnTypes own() {
		return this.own;
	}

	public String nameOf(Class<?> entityType) {
		Ids ids = idsOf(entityType);
		return (ids.annotated() != null) ? ids.annotated() : nameOf(ids.entity(), ids.entity().getCollection());
	}

	private Ids idsOf(Class<?> entityType) {
		Ids cached = this.ids.get(entityType);
		if (cached == null) {
			MongoPersistentEntity<?> entity = documentOf(entityType);
			cached = new Ids(entity, IdAnnotation.of(entity).sequence(), idOf(entity), !isCollectionExpression(entity));
			this.ids.put(entityType, cached);
		}
		return cached;
	}

	private MongoPersistentEntity<?> documentOf(Class<?> entityType) {
		Class<?> type = ProxyUtils.getUserClass(entityType);
		MongoPersistentEntity<?> entity = entityOf(type);
		if (entity == null) {
			throw new IllegalArgumentException(type.getName() + " is not mapped to a collection."
					+ " Pass the class of a document, or the name of the sequence as a string.");
		}
		if (!isDocument(entity)) {
			throw new IllegalArgumentException(
					type.getName() + " is " + (type.isInterface() ? "an interface" : "abstract")
							+ " and names no collection. Pass the class that is saved, put @Document(\"…\") or"
							+ " @HiLo(sequence = \"…\") on it, or pass the name of the sequence as a string.");
		}
		return entity;
	}

	@Nullable NumberedProperty idOf(Class<?> entityType) {
		return idsOf(entityType).property();
	}

	public @Nullable Place placeOf(Class<?> entityType) {
		NumberedProperty id = idOf(entityType);
		return (id != null) ? id.placeIn(id.entity().getCollection()) : null;
	}

	public boolean isFixed(Class<?> entityType) {
		Ids cached = this.ids.get(entityType);
		if (cached != null) {
			return cached.fixed();
		}
		MongoPersistentEntity<?> entity = entityOf(ProxyUtils.getUserClass(entityType));
		return entity == null || !isCollectionExpression(entity);
	}

	static boolean isCollectionExpression(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return document != null && Names.isExpression(document.collection());
	}

	/**
	 * Whether entities are saved to a collection now. An expression may fail without a
	 * web request.
	 */
	static boolean isSavedTo(MongoPersistentEntity<?> entity, String collection) {
		try {
			return entity.getCollection().equals(collection);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Names the sequence of a property, or returns {@code null} if an expression would
	 * have to be evaluated.
	 */
	@Nullable String fixedNameOf(NumberedProperty property) {
		String annotated = property.annotatedSequence();
		return (annotated != null || isCollectionExpression(property.entity())) ? annotated
				: nameOf(property, property.entity().getCollection());
	}

	String nameOf(NumberedProperty property, String collection) {
		String annotated = property.annotatedSequence();
		if (annotated != null) {
			return annotated;
		}
		return property.isId() ? nameOf(property.entity(), collection) : property.placeIn(collection).defaultSequence();
	}

	private String nameOf(MongoPersistentEntity<?> entity, String collection) {
		HiLoNamingStrategy strategy = this.naming.get();
		String sequence = (strategy instanceof RavenNaming raven) ? ravenNameOf(entity, raven, collection)
				: strategy.sequenceName(entity.getType(), collection);
		if (!StringUtils.hasText(sequence)) {
			throw new IllegalArgumentException("The naming strategy " + strategy.getClass().getName()
					+ " returned a blank sequence name for " + entity.getType().getName() + " in collection "
					+ Names.quoted(collection) + ". Return the name of a counter.");
		}
		return sequence;
	}

	private String ravenNameOf(MongoPersistentEntity<?> entity, RavenNaming naming, String collection) {
		String name = this.ravenNames.get(entity.getType());
		if (name == null) {
			name = naming.sequenceName(namingType(entity), collection);
			this.ravenNames.put(entity.getType(), name);
		}
		return name;
	}

	/**
	 * Finds the type that RavenDB's naming names a sequence after. Types of a hierarchy
	 * whose numeric ids are in one collection must share a counter. So all of them use
	 * the type with the {@code @Document} that names the collection.
	 */
	private Class<?> namingType(MongoPersistentEntity<?> entity) {
		NumberedProperty id = idOf(entity);
		MergedAnnotation<Document> document = MergedAnnotations
			.from(entity.getType(), MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
			.get(Document.class);
		return (id != null && id.isNumeric() && document.getSource() instanceof Class<?> declaring
				&& StringUtils.hasText(document.getString("collection"))) ? declaring : entity.getType();
	}

	/**
	 * Finds the id property of an entity type, or {@code null} if Spring Data creates its
	 * ids.
	 */
	@Nullable NumberedProperty idOf(MongoPersistentEntity<?> entity) {
		MongoPersistentProperty id = IdAnnotation.idOf(entity);
		return (id != null) ? NumberedProperty.of(entity, id, this.own) : null;
	}

	/**
	 * Finds the metadata of a type, or {@code null} if its instances are no entities.
	 */
	@Nullable MongoPersistentEntity<?> entityOf(Class<?> type) {
		if (type.isPrimitive() || type.isArray() || type.isEnum() || Map.class.isAssignableFrom(type)
				|| type.getName().startsWith("java.")) {
			return null;
		}
		return this.mappings.get().getPersistentEntity(type);
	}

	/**
	 * Whether instances of an entity type are saved themselves, as far as metadata shows:
	 * the type is not abstract, or names its own collection or sequence.
	 */
	static boolean isDocument(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return !Modifier.isAbstract(entity.getType().getModifiers())
				|| (document != null && StringUtils.hasText(document.collection()))
				|| IdAnnotation.of(entity).sequence() != null;
	}

	/**
	 * What metadata says about the ids of a type.
	 *
	 * @param annotated the sequence that an annotation names, or {@code null}
	 * @param property the id property, or {@code null} if Spring Data creates the ids
	 * @param fixed whether all instances are saved to the same collection
	 */
	private record Ids(MongoPersistentEntity<?> entity, @Nullable String annotated, @Nullable NumberedProperty property,
			boolean fixed) {
	}

}

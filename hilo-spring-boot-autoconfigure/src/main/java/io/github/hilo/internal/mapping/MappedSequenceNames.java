package io.github.hilo.internal.mapping;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
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
 * Names sequences from the mapping metadata. Those of ids: {@link HiLo#sequence()}, or
 * else the naming strategy's answer for the type and the collection that it is saved to.
 * Those of other properties: {@link HiLo#sequence()}, or else
 * {@code <collection>.<stored field name>}. A collection that is an expression is
 * evaluated on every call.
 */
public final class MappedSequenceNames {

	private final Supplier<? extends MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings;

	private final Supplier<HiLoNamingStrategy> naming;

	private final AnnotatedProperties annotated;

	private final OwnTypes own;

	private final Map<Class<?>, Class<?>> namingTypes = new ConcurrentHashMap<>();

	/**
	 * Creates the names.
	 * @param naming supplies what names the ids' sequences where no annotation does,
	 * always the same, when it is first needed: it may depend on beans that need the
	 * engine
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
		MongoPersistentEntity<?> entity = documentOf(entityType);
		String annotated = IdAnnotation.of(entity).sequence();
		return (annotated != null) ? annotated : nameOf(entity, entity.getCollection());
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

	public @Nullable Place placeOf(Class<?> entityType) {
		NumberedProperty id = idOf(documentOf(entityType));
		return (id != null) ? id.placeIn(id.entity().getCollection()) : null;
	}

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
	 * Whether entities are saved to a collection now. An expression may need a request.
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
	 * Names the sequence of a property without evaluating an expression.
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
		Class<?> type = (strategy instanceof RavenNaming) ? knownNamingType(entity) : entity.getType();
		String sequence = strategy.sequenceName(type, collection);
		if (!StringUtils.hasText(sequence)) {
			throw new IllegalArgumentException("The naming strategy " + strategy.getClass().getName()
					+ " gave a blank sequence name for " + entity.getType().getName() + " in collection "
					+ Names.quoted(collection) + ". Return the name of a counter.");
		}
		return sequence;
	}

	private Class<?> knownNamingType(MongoPersistentEntity<?> entity) {
		Class<?> known = this.namingTypes.get(entity.getType());
		if (known == null) {
			known = namingType(entity);
			this.namingTypes.put(entity.getType(), known);
		}
		return known;
	}

	/**
	 * Finds the type that names the counter of a type's numbers: all types of a hierarchy
	 * in one collection have that of the {@code @Document} that names the collection, in
	 * every process.
	 */
	private Class<?> namingType(MongoPersistentEntity<?> entity) {
		NumberedProperty id = idOf(entity);
		MergedAnnotation<Document> document = MergedAnnotations
			.from(entity.getType(), MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
			.get(Document.class);
		return (id != null && id.isNumeric() && document.getSource() instanceof Class<?> declaring
				&& StringUtils.hasText(document.getString("collection"))) ? declaring : entity.getType();
	}

	static boolean isAbstract(Class<?> type) {
		return Modifier.isAbstract(type.getModifiers());
	}

	/**
	 * Finds the properties of an entity type that count in a sequence, whether or not
	 * they get their values from it.
	 */
	List<NumberedProperty> countedIn(MongoPersistentEntity<?> entity) {
		List<NumberedProperty> properties = new ArrayList<>(this.annotated.in(entity));
		NumberedProperty id = idOf(entity);
		if (id != null) {
			properties.add(id);
		}
		return properties;
	}

	/**
	 * Finds the id property of an entity type, or {@code null} if ids of this type are
	 * left to Spring Data.
	 */
	@Nullable NumberedProperty idOf(MongoPersistentEntity<?> entity) {
		return NumberedProperty.idOf(entity, this.own);
	}

	/**
	 * Finds the metadata of a type, or {@code null} if instances are not entities.
	 */
	@Nullable MongoPersistentEntity<?> entityOf(Class<?> type) {
		if (type.isPrimitive() || type.isArray() || type.isEnum() || Map.class.isAssignableFrom(type)
				|| type.getName().startsWith("java.")) {
			return null;
		}
		return this.mappings.get().getPersistentEntity(type);
	}

	/**
	 * Whether instances of an entity type are saved themselves, as far as it tells: it is
	 * not abstract, or says itself where its ids count.
	 */
	static boolean isDocument(MongoPersistentEntity<?> entity) {
		Document document = entity.findAnnotation(Document.class);
		return !isAbstract(entity.getType()) || (document != null && StringUtils.hasText(document.collection()))
				|| IdAnnotation.of(entity).sequence() != null;
	}

}

package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.util.StringUtils;

/**
 * Names the sequences of entity types and properties. {@link HiLo#sequence()} takes
 * precedence. Otherwise the naming strategy names the sequence of ids by the type and the
 * collection, and another property counts in {@code <collection>.<stored field name>}. A
 * collection that is an expression is evaluated on every call.
 * <p>
 * Thread-safe: {@code types} is thread-safe, the strategy is by its contract, and
 * {@code names} has concurrent maps, with {@value #MOST_COLLECTIONS} names for each type
 * at most.
 */
public final class MappedSequenceNames {

	private static final int MOST_COLLECTIONS = 1_000;

	private final MappedTypes types;

	private final Supplier<HiLoNamingStrategy> naming;

	// What the strategy has answered, by type and collection.
	private final Map<MongoPersistentEntity<?>, Map<String, String>> names = new ConcurrentHashMap<>();

	/**
	 * @param naming supplies the naming strategy when a name is first needed, because the
	 * strategy may depend on beans that need the engine
	 */
	public MappedSequenceNames(
			Supplier<? extends MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings,
			Supplier<HiLoNamingStrategy> naming, Supplier<List<MongoConverter>> converters) {
		this.types = new MappedTypes(mappings, new ConvertedTypes(converters));
		this.naming = naming;
	}

	MappedTypes types() {
		return this.types;
	}

	public String nameOf(Class<?> entityType) {
		MappedType type = this.types.ofDocument(entityType);
		String annotated = type.sequence();
		return (annotated != null) ? annotated : nameOfIds(type.entity(), type.entity().getCollection());
	}

	public boolean isFixed(Class<?> entityType) {
		return this.types.hasFixedCollection(entityType);
	}

	/**
	 * Names the sequence of a property, or returns {@code null} if an expression would
	 * have to be evaluated.
	 */
	@Nullable String fixedNameOf(NumberedProperty property) {
		String annotated = property.annotatedSequence();
		return (annotated != null || MappedType.collectionExpressionOf(property.entity()) != null) ? annotated
				: nameOf(property, property.entity().getCollection());
	}

	String nameOf(NumberedProperty property, String collection) {
		String annotated = property.annotatedSequence();
		if (annotated != null) {
			return annotated;
		}
		return property.isId() ? nameOfIds(property.entity(), collection)
				: property.placeIn(collection).defaultSequence();
	}

	private String nameOfIds(MongoPersistentEntity<?> entity, String collection) {
		Map<String, String> ofType = this.names.get(entity);
		String known = (ofType != null) ? ofType.get(collection) : null;
		return (known != null) ? known : askAndKeep(entity, collection);
	}

	private String askAndKeep(MongoPersistentEntity<?> entity, String collection) {
		// Outside of the map's lock, because the strategy is the application's.
		String name = ask(entity, collection);
		Map<String, String> ofType = this.names.computeIfAbsent(entity, (absent) -> new ConcurrentHashMap<>());
		if (ofType.size() < MOST_COLLECTIONS) {
			ofType.put(collection, name);
		}
		return name;
	}

	private String ask(MongoPersistentEntity<?> entity, String collection) {
		HiLoNamingStrategy strategy = this.naming.get();
		Class<?> type = (strategy instanceof RavenNaming) ? ravenTypeOf(entity) : entity.getType();
		String sequence = strategy.sequenceName(type, collection);
		if (!StringUtils.hasText(sequence)) {
			throw new IllegalArgumentException("The naming strategy " + strategy.getClass().getName()
					+ " returned a blank sequence name for " + entity.getType().getName() + " in collection "
					+ Names.quoted(collection) + ". Return the name of a counter.");
		}
		return sequence;
	}

	/**
	 * Finds the type that RavenDB's naming names a sequence after. Types of a hierarchy
	 * whose numeric ids are in one collection must share a counter. So all of them use
	 * the type with the {@code @Document} that names the collection.
	 */
	private Class<?> ravenTypeOf(MongoPersistentEntity<?> entity) {
		NumberedProperty id = this.types.of(entity).id();
		MergedAnnotation<Document> document = MergedAnnotations
			.from(entity.getType(), MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
			.get(Document.class);
		return (id != null && id.isNumeric() && document.getSource() instanceof Class<?> declaring
				&& StringUtils.hasText(document.getString("collection"))) ? declaring : entity.getType();
	}

}

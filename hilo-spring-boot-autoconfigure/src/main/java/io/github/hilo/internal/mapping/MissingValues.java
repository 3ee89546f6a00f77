package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Which entities get ids and numbers before they are saved, and from which sequences.
 */
public final class MissingValues {

	private static final Logger logger = LoggerFactory.getLogger(MissingValues.class);

	private static final int MAX_NAMES = 10;

	private final MappedSequenceNames names;

	private final KnownTypes types;

	private final AssignmentRule rule;

	private final Map<Class<?>, List<NumberedProperty>> properties = new ConcurrentHashMap<>();

	/**
	 * Creates what finds them.
	 */
	public MissingValues(MappedSequenceNames names, KnownTypes types, AssignmentRule rule) {
		this.names = names;
		this.types = types;
		this.rule = rule;
	}

	/**
	 * Says which of the documents known by now get ids and numbers, and from which
	 * sequences: at most 10 properties, and how many more there are. A type without
	 * {@code @Document} may be a projection, which is never saved.
	 * @throws IllegalStateException if a type carries an annotation that cannot be
	 * honoured, a numeric id is stored as something else, or two counters would issue the
	 * numbers of one collection
	 */
	public String summary() {
		Set<MongoPersistentEntity<?>> documents = this.names.annotated().documents();
		// All types first: naming a sequence logs a warning about a refused one.
		List<NumberedProperty> assigned = documents.stream()
			.flatMap((entity) -> propertiesOf(entity).stream())
			.toList();
		List<String> properties = assigned.stream()
			.filter((property) -> property.entity().isAnnotationPresent(Document.class))
			.map(this::describe)
			.sorted()
			.toList();
		List<String> own = documents.stream()
			.filter(this.rule::leavesToTheApplication)
			.map((entity) -> ClassUtils.getShortName(entity.getType()) + "." + entity.getRequiredIdProperty().getName())
			.sorted()
			.toList();
		List<String> unused = documents.stream()
			.filter(this.rule::namesNoId)
			.map((entity) -> ClassUtils.getShortName(entity.getType()))
			.sorted()
			.toList();
		this.types.requireOneCounter((counted) -> true);
		int left = Math.min(own.size(), MAX_NAMES / 2);
		return (properties.isEmpty() ? "no type known yet" : firstOf(properties, MAX_NAMES - left))
				+ (own.isEmpty() ? ""
						: "; none for " + firstOf(own, left)
								+ ", because of a constraint or a time series. @HiLo gives them ids")
				+ (unused.isEmpty() ? ""
						: "; @HiLo on " + firstOf(unused, MAX_NAMES / 2)
								+ " gives no document an id, because no id there can hold one: it names the sequence of"
								+ " nextId(…) alone");
	}

	private String describe(NumberedProperty property) {
		return ClassUtils.getShortName(property.entity().getType()) + "." + property.name() + " from "
				+ this.types.counted()
					.stream()
					.filter((counted) -> counted.property().equals(property))
					.map((counted) -> Names.quoted(counted.sequence()))
					.findFirst()
					.orElse("a sequence that each save names");
	}

	private static String firstOf(List<String> names, int limit) {
		String first = names.stream().limit(limit).collect(Collectors.joining(", "));
		int more = names.size() - limit;
		return (more > 0) ? first + " and " + more + " more" : first;
	}

	/**
	 * Finds the properties of an entity that get values where they have none.
	 * @throws IllegalStateException as {@link #summary()} does, for this type
	 */
	public List<NumberedProperty> propertiesOf(Object entity) {
		Class<?> type = ProxyUtils.getUserClass(entity);
		List<NumberedProperty> known = this.properties.get(type);
		if (known == null) {
			// Not under the map's lock: mapping a type may create its indexes.
			known = propertiesOfType(type);
			this.properties.put(type, known);
		}
		return known;
	}

	/**
	 * Finds out whether an entity lacks a value.
	 */
	public @Nullable MissingValue missing(Object entity, NumberedProperty property, String collection,
			@Nullable SetValues set) {
		PersistentPropertyAccessor<?> bean = property.entity().getPropertyAccessor(entity);
		Object value = property.valueIn(bean);
		if (value != null) {
			tell(property, collection, value, set);
			return null;
		}
		String sequence = this.names.nameOf(property, collection);
		return new MissingValue(bean, property, sequence, property.placeIn(collection), this.types);
	}

	/**
	 * What fails here leaves the save as it is.
	 */
	private void tell(NumberedProperty property, String collection, Object value, @Nullable SetValues set) {
		try {
			if (set != null) {
				set.set(this.names.nameOf(property, collection), property.placeIn(collection), value);
			}
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The sequence of {} could not be named for an id that is set", property.name(), ex);
		}
	}

	/**
	 * Whether a document type known by now gets document ids.
	 */
	public boolean areTextIdsAssigned(Class<?> type) {
		Class<?> userType = ProxyUtils.getUserClass(type);
		return this.names.mappings().hasPersistentEntityFor(userType)
				&& Stream.ofNullable(NumberedProperty.idOf(this.names.mappings().getRequiredPersistentEntity(userType)))
					.anyMatch((id) -> !id.isNumeric() && this.rule.assigns(id));
	}

	/**
	 * Whether any document type known by now gets document ids.
	 */
	public boolean areTextIdsAssigned() {
		return this.names.annotated()
			.documents()
			.stream()
			.map(MongoPersistentEntity::getType)
			.anyMatch(this::areTextIdsAssigned);
	}

	/**
	 * Finds the associations of the types known by now with types that get document ids.
	 */
	public List<String> associationsWithTextIds() {
		SortedSet<String> found = new TreeSet<>();
		this.names.mappings()
			.getPersistentEntities()
			.forEach((entity) -> entity.doWithAll((property) -> Stream.ofNullable(property.getAssociationTargetType())
				.filter(this::areTextIdsAssigned)
				.forEach((target) -> found.add(ClassUtils.getShortName(entity.getType()) + "." + property.getName()))));
		return List.copyOf(found);
	}

	private List<NumberedProperty> propertiesOfType(Class<?> type) {
		MongoPersistentEntity<?> entity = this.rule.enabled() ? this.names.entityOf(type) : null;
		if (entity == null) {
			return List.of();
		}
		this.types.requireOneCounter((counted) -> counted.property().entity().equals(entity));
		return propertiesOf(entity);
	}

	private List<NumberedProperty> propertiesOf(MongoPersistentEntity<?> entity) {
		NumberedProperty id = NumberedProperty.idOf(entity);
		List<NumberedProperty> properties = Stream
			.concat(Stream.ofNullable(id).filter(this.rule::assigns), this.names.annotated().of(entity).stream())
			.toList();
		properties.forEach(NumberedProperty::requireStoredForm);
		return properties;
	}

	/**
	 * Is told of values that the application has set.
	 */
	@FunctionalInterface
	public interface SetValues {

		void set(String sequence, Place place, Object value);

	}

}

package io.github.hilo.data;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.store.Place;
import io.github.hilo.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Which entities get ids and numbers before they are saved, and from which sequences.
 * Internal.
 * <p>
 * Thread-safe: immutable lists in a concurrent map.
 *
 * @hidden
 */
public final class IdAssignment {

	private static final int MAX_PROPERTIES = 20;

	private final MappedSequenceNames names;

	private final StoredIdPlaces places;

	private final AssignmentRule rule;

	private final Map<Class<?>, List<AssignableProperty>> properties = new ConcurrentHashMap<>();

	/**
	 * Creates the assignment.
	 * @param names names the sequences
	 * @param places is told of the fields that get values
	 * @param rule which properties get values
	 */
	public IdAssignment(MappedSequenceNames names, StoredIdPlaces places, AssignmentRule rule) {
		this.names = names;
		this.places = places;
		this.rule = rule;
	}

	/**
	 * Says which of the entity types known by now get ids and numbers, and from which
	 * sequences: at most 20 properties, and how many more there are.
	 * @return one line
	 * @throws IllegalStateException if a type carries an annotation that cannot be
	 * honoured, a numeric id is stored as something else, or two counters would issue the
	 * numbers of one collection
	 */
	public String summary() {
		Set<MongoPersistentEntity<?>> documents = this.names.annotated().documents();
		// All types first: naming a sequence logs a warning about a refused one.
		List<AssignableProperty> assigned = documents.stream()
			.flatMap((entity) -> propertiesOf(entity).stream())
			.toList();
		List<String> properties = assigned.stream().map(this::describe).sorted().toList();
		List<String> own = documents.stream()
			.filter(this.rule::leavesToTheApplication)
			.map((entity) -> ClassUtils.getShortName(entity.getType()) + "." + entity.getRequiredIdProperty().getName())
			.sorted()
			.toList();
		this.places.types().requireOneCounter((counted) -> true);
		return (properties.isEmpty() ? "no type known yet" : firstOf(properties)) + (own.isEmpty() ? ""
				: "; none for " + firstOf(own) + ", because of a constraint or a time series. @HiLo gives them ids");
	}

	private String describe(AssignableProperty property) {
		return ClassUtils.getShortName(property.entity().getType()) + "." + property.name() + " from "
				+ this.places.types()
					.counted()
					.stream()
					.filter((counted) -> counted.property().equals(property))
					.map((counted) -> Names.quoted(counted.sequence()))
					.findFirst()
					.orElse("a sequence that each save names");
	}

	private static String firstOf(List<String> names) {
		String first = names.stream().limit(MAX_PROPERTIES).collect(Collectors.joining(", "));
		int more = names.size() - MAX_PROPERTIES;
		return (more > 0) ? first + " and " + more + " more" : first;
	}

	/**
	 * Finds the properties of an entity that get values where they have none.
	 * @param entity what is about to be saved
	 * @return the id first, if it is one of them
	 * @throws IllegalStateException as {@link #summary()} does, for this type
	 */
	List<AssignableProperty> propertiesOf(Object entity) {
		Class<?> type = ProxyUtils.getUserClass(entity);
		List<AssignableProperty> known = this.properties.get(type);
		if (known == null) {
			// Not under the map's lock: mapping a type may create its indexes.
			known = propertiesOfType(type);
			this.properties.put(type, known);
		}
		return known;
	}

	/**
	 * Finds out whether an entity lacks a value.
	 * @param entity what is about to be saved
	 * @param property one of its properties
	 * @param collection the collection that it is saved to
	 * @return what it lacks, or {@code null} if it has one
	 */
	@Nullable MissingValue missing(Object entity, AssignableProperty property, String collection) {
		if (!property.isMissing(entity)) {
			return null;
		}
		String sequence = this.names.nameOf(property, collection);
		Place place = property.placeIn(collection);
		this.places.types().requireOneCounter(property, place, sequence);
		return new MissingValue(entity, property, sequence, place);
	}

	private List<AssignableProperty> propertiesOfType(Class<?> type) {
		MongoPersistentEntity<?> entity = (this.rule.assignIds() != AssignIds.NONE) ? this.names.entityOf(type) : null;
		if (entity == null) {
			return List.of();
		}
		this.places.types().requireOneCounter((counted) -> counted.property().entity().equals(entity));
		return propertiesOf(entity);
	}

	/**
	 * Finds the properties of an entity type that get values.
	 * @param entity the type's metadata
	 */
	List<AssignableProperty> propertiesOf(MongoPersistentEntity<?> entity) {
		AssignableProperty id = AssignableProperty.idOf(entity);
		List<AssignableProperty> properties = Stream
			.concat(Stream.ofNullable(id).filter(this.rule::assigns), this.names.annotated().of(entity).stream())
			.toList();
		properties.forEach(AssignableProperty::requireStoredForm);
		return properties;
	}

}

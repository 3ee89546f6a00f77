package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.util.ProxyUtils;

/**
 * Which entities get ids and numbers before they are saved, and from which sequences.
 * Internal.
 * <p>
 * Thread-safe: immutable lists in a concurrent map.
 *
 * @hidden
 */
public final class IdAssignment {

	private static final String SPRING = "org.springframework.";

	private static final String SPRING_SAMPLES = "org.springframework.samples.";

	private final MappedSequenceNames names;

	private final MappedIdScopes scopes;

	private final AssignIds assignIds;

	private final List<String> packages;

	private final Map<Class<?>, List<AssignableProperty>> properties = new ConcurrentHashMap<>();

	/**
	 * Creates the assignment.
	 * @param names names the sequences
	 * @param scopes is told of the fields that get values
	 * @param assignIds which types get ids
	 * @param packages the packages of these types, with those below, or none for all
	 */
	public IdAssignment(MappedSequenceNames names, MappedIdScopes scopes, AssignIds assignIds, List<String> packages) {
		this.names = names;
		this.scopes = scopes;
		this.assignIds = assignIds;
		this.packages = packages;
	}

	/**
	 * Says which of the entity types known by now get ids and numbers, and from which
	 * sequences: at most 20 properties, and how many more there are.
	 * @return one line
	 * @throws IllegalStateException if a type carries an annotation that can't be
	 * honoured
	 */
	public String summary() {
		return new AssignmentSummary(this, this.names).describe();
	}

	/**
	 * Finds the properties of an entity that get values where they have none.
	 * @param entity what is about to be saved
	 * @return the id first, if it is one of them
	 * @throws IllegalStateException if the type carries an annotation that can't be
	 * honoured
	 */
	List<AssignableProperty> propertiesOf(Object entity) {
		Class<?> type = ProxyUtils.getUserClass(entity);
		List<AssignableProperty> known = this.properties.get(type);
		return (known != null) ? known : this.properties.computeIfAbsent(type, this::propertiesOfType);
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
		boolean covered = this.scopes.isCovered(sequence, collection, property.path(), property.isNumeric());
		return new MissingValue(entity, property, sequence, collection, covered ? null : this.scopes);
	}

	private List<AssignableProperty> propertiesOfType(Class<?> type) {
		MongoPersistentEntity<?> entity = this.names.entityOf(type);
		return (entity != null) ? propertiesOf(entity) : List.of();
	}

	/**
	 * Finds the properties of an entity type that get values.
	 * @param entity the type's metadata
	 */
	List<AssignableProperty> propertiesOf(MongoPersistentEntity<?> entity) {
		if (this.assignIds == AssignIds.NONE) {
			return List.of();
		}
		List<AssignableProperty> properties = new ArrayList<>();
		AssignableProperty id = AssignableProperty.idOf(entity);
		if (id != null && getsIds(entity)) {
			properties.add(id);
		}
		properties.addAll(this.names.annotated().of(entity));
		return List.copyOf(properties);
	}

	private boolean getsIds(MongoPersistentEntity<?> entity) {
		IdRule rule = IdRule.of(entity);
		return rule.explicit() ? rule.enabled() : this.assignIds == AssignIds.ALL && isInPackages(entity.getType());
	}

	private boolean isInPackages(Class<?> type) {
		String name = type.getName();
		return this.packages.isEmpty() ? !name.startsWith(SPRING) || name.startsWith(SPRING_SAMPLES)
				: this.packages.stream().anyMatch((own) -> name.startsWith(own + "."));
	}

}

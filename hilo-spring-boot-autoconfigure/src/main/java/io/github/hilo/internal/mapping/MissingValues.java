package io.github.hilo.internal.mapping;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.internal.engine.ChosenValue;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.bson.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.mongodb.core.mapping.DocumentReference;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the ids and numbers that an entity needs before it is saved, and describes which
 * types get them.
 * <p>
 * Thread-safe: {@code properties} and {@code said} are concurrent, and the properties of
 * a type never change. Two threads may read the same type twice.
 */
public final class MissingValues {

	private static final Logger logger = LoggerFactory.getLogger(MissingValues.class);

	private static final int MAX_NAMES = 10;

	private final MappedSequenceNames names;

	private final KnownTypes types;

	private final AssignmentRule rule;

	private final Map<Class<?>, SavedType> properties = new ConcurrentHashMap<>();

	private final Set<String> said = ConcurrentHashMap.newKeySet();

	public MissingValues(KnownTypes types) {
		this.names = types.names();
		this.types = types;
		this.rule = types.rule();
	}

	/**
	 * Describes which document types get ids and numbers, and from which sequences: at
	 * most 10 properties, and how many more there are. A type without {@code @Document}
	 * is not named, because it may be a projection, which is never saved.
	 * @throws IllegalStateException if an annotation cannot be honoured, a numeric id is
	 * stored as something else, or two counters would issue the numbers of one field
	 */
	public String summary() {
		List<MongoPersistentEntity<?>> documents = this.names.annotated()
			.roots()
			.stream()
			.filter((entity) -> !Modifier.isAbstract(entity.getType().getModifiers()))
			.toList();
		this.names.mappings().getPersistentEntities().forEach(this::sayWhatIsNotFound);
		// All types are judged before a sequence is named, because naming logs a warning
		// about a type that is refused.
		List<NumberedProperty> assigned = documents.stream()
			.flatMap((entity) -> propertiesOf(entity).stream())
			.toList();
		String properties = firstOf(assigned.stream().filter(MissingValues::isDocument).map(this::describe));
		String left = firstOf(documents.stream()
			.flatMap((entity) -> Stream.ofNullable(this.names.idOf(entity)))
			.filter(this.rule::leavesToTheApplication)
			.map(MissingValues::nameOf));
		this.types.start();
		String without = firstOf(documents.stream()
			.flatMap((entity) -> Stream.ofNullable(this.names.idOf(entity)))
			.filter((id) -> isDocument(id) && !this.rule.assigns(id) && !this.rule.leavesToTheApplication(id))
			.map(MissingValues::nameOf));
		return (properties.isEmpty() ? "no type with @Document known yet" : properties)
				+ (left.isEmpty() ? ""
						: "; none for " + left + ", because of a constraint or a time series. @HiLo gives them ids")
				+ (without.isEmpty() ? "" : "; none for " + without + ", " + this.rule.whyWithout());
	}

	/**
	 * Describes which types get ids that {@link #summary} does not name.
	 */
	public String rule() {
		return this.rule.describe();
	}

	private static boolean isDocument(NumberedProperty property) {
		return property.entity().isAnnotationPresent(org.springframework.data.mongodb.core.mapping.Document.class);
	}

	private static String nameOf(NumberedProperty property) {
		return ClassUtils.getShortName(property.entity().getType()) + "." + property.name();
	}

	private String describe(NumberedProperty property) {
		return nameOf(property) + " from "
				+ sequenceOf(property).map(Names::quoted).orElse("a sequence that each save names");
	}

	private Optional<String> sequenceOf(NumberedProperty property) {
		return this.types.counted()
			.stream()
			.filter((counted) -> counted.property().equals(property))
			.map(KnownTypes.Counted::sequence)
			.findFirst();
	}

	private static String firstOf(Stream<String> names) {
		List<String> sorted = names.sorted().toList();
		int more = sorted.size() - MAX_NAMES;
		return sorted.stream().limit(MAX_NAMES).collect(Collectors.joining(", "))
				+ ((more > 0) ? " and " + more + " more" : "");
	}

	/**
	 * Finds the properties of an entity that get values if they have none.
	 */
	public List<NumberedProperty> propertiesOf(Object entity) {
		return savedType(entity).properties;
	}

	private SavedType savedType(Object entity) {
		SavedType cached = this.properties.get(entity.getClass());
		if (cached == null) {
			// Outside of the map's lock, because mapping a type may create its indexes.
			cached = new SavedType(propertiesOfType(ProxyUtils.getUserClass(entity)));
			this.properties.put(entity.getClass(), cached);
		}
		return cached;
	}

	/**
	 * Finds the values that an entity does not have.
	 */
	public List<MissingValue> missing(Object entity, String collection) {
		List<MissingValue> missing = List.of();
		for (NumberedProperty property : propertiesOf(entity)) {
			if (property.valueIn(property.entity().getPropertyAccessor(entity)) == null) {
				missing = missing.isEmpty() ? new ArrayList<>(1) : missing;
				missing.add(new MissingValue(property, this.names.nameOf(property, collection),
						property.placeIn(collection), this.types));
			}
		}
		return missing;
	}

	/**
	 * Finds the ids and numbers of a document that is about to be stored: those that were
	 * issued for it, and those that the application has chosen.
	 */
	public List<ChosenValue> chosen(Object entity, Document document, String collection) {
		SavedType type = savedType(entity);
		if (!collection.equals(type.registeredIn)) {
			boolean registered = true;
			for (NumberedProperty property : type.properties) {
				registered &= register(property, collection);
			}
			type.registeredIn = registered ? collection : "";
		}
		return this.types.chosen(document, collection);
	}

	/**
	 * @return whether the sequence could be named
	 */
	private boolean register(NumberedProperty property, String collection) {
		try {
			this.types.register(property.placeIn(collection), this.names.nameOf(property, collection));
			return true;
		}
		catch (RuntimeException | LinkageError ex) {
			say((line) -> logger.warn(line, ex), "Chosen values of " + Names.quoted(property.name()) + " of "
					+ property.entity().getType().getName() + " are not excluded while their sequence cannot be named");
			return false;
		}
	}

	/**
	 * Whether a known document type gets {@code String} ids of some sequences here. Ids
	 * of the application's own types do not count.
	 * @param sequences gets an empty name for a sequence that only a save can name, which
	 * stands for the settings of all sequences
	 */
	public boolean areTextIdsAssigned(Class<?> type, Predicate<String> sequences) {
		Class<?> userType = ProxyUtils.getUserClass(type);
		return this.names.mappings().hasPersistentEntityFor(userType)
				&& Stream.ofNullable(this.names.idOf(this.names.mappings().getRequiredPersistentEntity(userType)))
					.anyMatch((id) -> !id.isNumeric() && id.own() == null && this.rule.assigns(id)
							&& sequences.test(sequenceOf(id).orElse("")));
	}

	/**
	 * Finds the associations of known types with types that get document ids of some
	 * sequences.
	 */
	public List<String> associationsWithTextIds(Predicate<String> sequences) {
		SortedSet<String> found = new TreeSet<>();
		this.names.mappings()
			.getPersistentEntities()
			.forEach((entity) -> entity.doWithAll((property) -> Stream.ofNullable(property.getAssociationTargetType())
				.filter((target) -> areTextIdsAssigned(target, sequences))
				.forEach((target) -> found.add(ClassUtils.getShortName(entity.getType()) + "." + property.getName()))));
		return List.copyOf(found);
	}

	private List<NumberedProperty> propertiesOfType(Class<?> type) {
		MongoPersistentEntity<?> entity = this.names.entityOf(type);
		// Even if no ids are assigned here, chosen ones are excluded from the first save
		// on.
		this.types.counted();
		if (entity == null || !this.rule.enabled()) {
			return List.of();
		}
		sayWhatIsNotFound(entity);
		return propertiesOf(entity);
	}

	private List<NumberedProperty> propertiesOf(MongoPersistentEntity<?> entity) {
		NumberedProperty id = this.names.idOf(entity);
		List<NumberedProperty> properties = Stream
			.concat(Stream.ofNullable(id).filter(this.rule::assigns), this.names.annotated().of(entity).stream())
			.toList();
		properties.forEach(NumberedProperty::requireStoredForm);
		sayWhatIsLeft(entity);
		return properties;
	}

	/**
	 * Logs once that a type gets no id, although a converter or an annotation suggests
	 * that it does.
	 */
	private void sayWhatIsLeft(MongoPersistentEntity<?> entity) {
		String type = entity.getType().getName();
		MongoPersistentProperty id = entity.getIdProperty();
		IdAnnotation annotation = IdAnnotation.of(entity);
		if (this.names.idOf(entity) == null && (id != null || annotation.present()) && this.rule.assignsIds(entity)) {
			String why = (id != null) ? this.names.own().whyUnassigned(id) : null;
			if (why != null) {
				say(logger::warn, "Documents of " + type + " get no id from hilo: " + why);
			}
			if (annotation.present()) {
				say(logger::info,
						"Documents of " + type + " get no id from hilo, so @HiLo on the type names only the sequence of"
								+ " nextId(" + ClassUtils.getShortName(entity.getType()) + ".class)");
			}
		}
	}

	private void sayWhatIsNotFound(MongoPersistentEntity<?> entity) {
		entity.doWithAll((property) -> Stream.ofNullable(property.getAssociationTargetType())
			.filter((target) -> property.isDocumentReference()
					&& property.getRequiredAnnotation(DocumentReference.class).lookup().contains(Place.ID))
			.flatMap((target) -> Stream.ofNullable(this.names.entityOf(target)))
			.flatMap((target) -> Stream.ofNullable(this.names.idOf(target)))
			.filter((target) -> target.own() != null)
			.forEach((target) -> say(logger::warn,
					"@DocumentReference on " + Names.quoted(property.getName()) + " of " + entity.getType().getName()
							+ " fails or finds nothing, because Spring Data does not convert ids of type "
							+ target.property().getType().getName()
							+ " there. Use @DBRef, store the id itself, or convert to DocumentPointer")));
	}

	private void say(Consumer<String> log, String line) {
		if (this.said.add(line)) {
			log.accept(line);
		}
	}

	/**
	 * A type that is saved, with the properties that get values.
	 */
	private static final class SavedType {

		private final List<NumberedProperty> properties;

		// The collection of the last save, in which the properties are registered.
		private volatile String registeredIn = "";

		private SavedType(List<NumberedProperty> properties) {
			this.properties = properties;
		}

	}

}

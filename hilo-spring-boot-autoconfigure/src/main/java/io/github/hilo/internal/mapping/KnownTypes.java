package io.github.hilo.internal.mapping;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.engine.EntitySequenceNames;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.util.BsonUtils;

/**
 * Finds the sequence and the place of every id and number, by the metadata of all types
 * that are known, and refuses two counters for one field. The two counters would issue
 * the same number, and one document would replace another. Types whose numbers are
 * assigned here are compared even if this process never saves them, because another
 * process may.
 * <p>
 * A collection that is an expression is not evaluated. Types with the same expression
 * share one collection.
 * <p>
 * Thread-safe: {@code counters} is replaced as a whole when more types become known; the
 * maps and sets are concurrent, and {@code issued} and {@code unnamed} only grow.
 */
public final class KnownTypes implements EntitySequenceNames {

	private static final Logger logger = LoggerFactory.getLogger(KnownTypes.class);

	private final MappedSequenceNames names;

	private final AssignmentRule rule;

	private final Map<SavedTo, Counted> saved = new ConcurrentHashMap<>();

	private final Set<Class<?>> unnamed = ConcurrentHashMap.newKeySet();

	// By collection. A field is added before its stored ids are read, so that a number
	// that the application chooses meanwhile is excluded.
	private final Map<String, Set<IssuedField>> issued = new ConcurrentHashMap<>();

	private volatile Counters counters = new Counters(0, List.of(), Map.of(), List.of());

	public KnownTypes(MappedSequenceNames names, AssignmentRule rule) {
		this.names = names;
		this.rule = rule;
	}

	MappedSequenceNames names() {
		return this.names;
	}

	AssignmentRule rule() {
		return this.rule;
	}

	@Override
	public String nameOf(Class<?> entityType) {
		return this.names.nameOf(entityType);
	}

	@Override
	public boolean isFixed(Class<?> entityType) {
		return this.names.isFixed(entityType);
	}

	@Override
	public @Nullable Place registerPlaceOf(Class<?> entityType) {
		Place place = this.names.placeOf(entityType);
		if (place != null) {
			register(place, nameOf(entityType));
		}
		return place;
	}

	/**
	 * Finds the properties whose sequence is known without a save, whether or not they
	 * get their values from it.
	 */
	List<Counted> counted() {
		return counters().counted();
	}

	void requireOneCounter(Predicate<Counted> concerned) {
		for (Conflict conflict : counters().conflicts()) {
			if (concerned.test(conflict.first()) || concerned.test(conflict.second())) {
				throw conflict.refused(conflict.first().declaredPlace().collection());
			}
		}
	}

	/**
	 * Notes that a save stores a number in a field, and refuses a second counter for it.
	 * A save may name another collection than metadata does. If metadata names the
	 * collection, every process refuses the save. Otherwise a process knows only its own
	 * saves, and refuses this one if it has saved to that collection from another
	 * counter.
	 */
	void registerSave(NumberedProperty property, String database, Place place, String sequence) {
		register(place, sequence);
		if (property.isNumeric()) {
			SavedTo save = new SavedTo(database, place);
			Counted first = this.saved.get(save);
			if (first == null) {
				Counted own = new Counted(property, Names.requireSequence(sequence));
				Map<Place, Counted> counters = counters().byPlace();
				// All types with the same expression are saved to the collection that it
				// names now.
				Place alias = MappedSequenceNames.isSavedTo(property.entity(), place.collection()) ? own.declaredPlace()
						: place;
				Counted declared = counters.getOrDefault(place, counters.getOrDefault(alias, own));
				first = declared.sequence().equals(sequence) ? this.saved.putIfAbsent(save, own) : declared;
			}
			if (first != null && !first.sequence().equals(sequence)) {
				throw new Conflict(first, new Counted(property, sequence)).refused(place.collection());
			}
		}
	}

	/**
	 * Notes that a sequence issues values for a place.
	 */
	void register(Place place, String sequence) {
		IssuedField issued = new IssuedField(place.path(), place.text(), sequence);
		Set<IssuedField> noted = this.issued.get(place.collection());
		if (noted == null || !noted.contains(issued)) {
			this.issued.computeIfAbsent(place.collection(), (absent) -> new CopyOnWriteArraySet<>()).add(issued);
		}
	}

	/**
	 * Finds the ids and numbers of a document that are in fields with a sequence.
	 */
	List<ChosenValue> chosen(Document document, String collection) {
		List<ChosenValue> chosen = new ArrayList<>(1);
		boolean named = false;
		Object id = javaValue(document.get(Place.ID));
		for (IssuedField issued : this.issued.getOrDefault(collection, Set.of())) {
			Object value = issued.path().equals(Place.ID) ? id
					: javaValue(BsonUtils.resolveValue((Bson) document, issued.path()));
			if (value != null && issued.holds(value)) {
				chosen.add(new ChosenValue(issued.sequence(), value, true));
				named |= issued.sequence().equals(collection) && issued.path().equals(Place.ID);
			}
		}
		// Somebody may call nextId with the collection's name.
		if (!named && (id instanceof String || id instanceof Number)) {
			chosen.add(new ChosenValue(collection, id, false));
		}
		return chosen;
	}

	/**
	 * Returns a number or text of a type of BSON's own as one of Java's, and any other
	 * value as it is.
	 */
	private static @Nullable Object javaValue(@Nullable Object value) {
		return (value instanceof BsonString text) ? text.getValue()
				: (value instanceof BsonNumber number) ? (Object) number.longValue() : value;
	}

	/**
	 * Finds the places of a sequence, by the types that are known now.
	 * @throws IllegalStateException if two counters would issue the numbers of one place
	 */
	@Override
	public List<Place> placesOf(String sequence) {
		requireOneCounter((counted) -> counted.sequence().equals(sequence));
		return counted().stream()
			.filter((counted) -> counted.sequence().equals(sequence))
			.map(Counted::place)
			.distinct()
			.toList();
	}

	private Counters counters() {
		var entities = this.names.mappings().getPersistentEntities();
		Counters last = this.counters;
		if (last.types() != entities.size()) {
			Set<MongoPersistentEntity<?>> roots = this.names.annotated().roots();
			List<Counted> counted = entities.stream().flatMap((entity) -> countedIn(entity, roots).stream()).toList();
			Map<Place, Counted> counters = new HashMap<>();
			counted.forEach((each) -> register(each.place(), each.sequence()));
			List<Conflict> conflicts = addCounters(counters, counted, roots);
			last = new Counters(entities.size(), counted, counters, conflicts);
			this.counters = last;
			// A save may have come before its type was known. Metadata replaces the
			// counter that the save has noted.
			this.saved.replaceAll((save, first) -> counters.getOrDefault(save.place(), first));
		}
		return last;
	}

	/**
	 * Finds the properties of a type that count in a sequence. If a type fails, the
	 * others still count: the type may be refused when it is saved, and a naming strategy
	 * may refuse types that never get ids.
	 */
	private List<Counted> countedIn(MongoPersistentEntity<?> entity, Set<MongoPersistentEntity<?>> roots) {
		try {
			if (!MappedSequenceNames.isDocument(entity) && !roots.contains(entity)) {
				return List.of();
			}
			return Stream.concat(this.names.annotated().in(entity).stream(), Stream.ofNullable(this.names.idOf(entity)))
				.flatMap((property) -> Stream.ofNullable(this.names.fixedNameOf(property))
					.map((sequence) -> new Counted(property, sequence)))
				.toList();
		}
		// A missing class concerns only its own type.
		catch (RuntimeException | LinkageError ex) {
			if (this.unnamed.add(entity.getType())) {
				logger.warn("The sequences of {} could not be named. The ids of this type are not checked until an"
						+ " entity is saved", entity.getType().getName(), ex);
			}
			return List.of();
		}
	}

	/**
	 * Adds the counter of each field that gets numbers, and returns the fields with two.
	 */
	private List<Conflict> addCounters(Map<Place, Counted> counters, List<Counted> all,
			Set<MongoPersistentEntity<?>> roots) {
		List<Conflict> conflicts = new ArrayList<>();
		// Instances of an abstract type do not exist, so a concrete type takes
		// precedence for the same field.
		all.stream().sorted(Comparator.comparing(Counted::isAbstract)).forEach((counted) -> {
			NumberedProperty property = counted.property();
			if (property.isNumeric() && roots.contains(property.entity()) && this.rule.assigns(property)) {
				Counted first = counters.putIfAbsent(counted.declaredPlace(), counted);
				if (first != null && !first.sequence().equals(counted.sequence()) && !counted.isAbstract()) {
					conflicts.add(new Conflict(first, counted));
				}
			}
		});
		return conflicts;
	}

	record Counted(NumberedProperty property, String sequence) {

		private boolean isAbstract() {
			return Modifier.isAbstract(this.property.entity().getType().getModifiers());
		}

		/**
		 * Returns the place by metadata. A collection that is an expression has the
		 * expression's text as its name.
		 */
		private Place declaredPlace() {
			MongoPersistentEntity<?> entity = this.property.entity();
			return this.property.placeIn(MappedSequenceNames.isCollectionExpression(entity)
					? entity.getRequiredAnnotation(org.springframework.data.mongodb.core.mapping.Document.class)
						.collection()
					: entity.getCollection());
		}

		/**
		 * Returns the place for checks. If the collection is an expression, only the
		 * collection with the sequence's name is known.
		 */
		private Place place() {
			return MappedSequenceNames.isCollectionExpression(this.property.entity())
					? new Place(this.sequence, Place.ID, !this.property.isNumeric(), false) : declaredPlace();
		}

	}

	private record SavedTo(String database, Place place) {
	}

	private record Conflict(Counted first, Counted second) {

		HiLoMappingException refused(String collection) {
			NumberedProperty property = this.first.property();
			String what = property.isId() ? "Numeric ids" : "Numbers in " + Names.quoted(property.path());
			return new HiLoMappingException(what + " of " + property.entity().getType().getName()
					+ " count in sequence " + Names.quoted(this.first.sequence()) + ", and those of "
					+ this.second.property().entity().getType().getName() + " in sequence "
					+ Names.quoted(this.second.sequence()) + ", but both types are stored in collection "
					+ Names.quoted(collection) + ". Two counters would give the same number to two documents, and one"
					+ " document would replace the other.",
					"Name one sequence for both with @HiLo(\"…\"), or put @HiLo(enabled = false) on one of them"
							+ " if it is only read.");
		}

	}

	/**
	 * The result of one look at all types.
	 *
	 * @param types the number of types at that time
	 * @param byPlace the counter of each field that gets numbers
	 */
	private record Counters(int types, List<Counted> counted, Map<Place, Counted> byPlace, List<Conflict> conflicts) {
	}

	/**
	 * A field of a collection that a sequence issues values for.
	 */
	private record IssuedField(String path, boolean text, String sequence) {

		boolean holds(Object value) {
			return this.text ? value instanceof String : value instanceof Number;
		}

	}

}

package io.github.hilo.internal.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.engine.ChosenValue;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.EntitySequenceNames;
import io.github.hilo.internal.mongodb.StoredValue;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.util.BsonUtils;

/**
 * All entity types that are known, with the fields that they fill from sequences: where a
 * sequence's numbers are stored, and which fields of a collection have such numbers.
 * <p>
 * A sequence's list of places is in doubt while the sequence of some type is not named:
 * that type may have stored numbers of this sequence in a place that the list lacks.
 * <p>
 * Thread-safe: the lock of {@code places} guards all lists, whether they are in doubt,
 * and changes of {@code fields} and {@code looked}. No code of the application runs under
 * it. The maps are concurrent. Bounds: the number of types, and of the collections and
 * fields to which they are saved.
 */
public final class KnownTypes implements EntitySequenceNames {

	private static final Look NOT_YET = new Look(-1, 0, 0, Set.of());

	private final MappedSequenceNames names;

	private final AssignmentRule rule;

	private final AnnotatedProperties annotated;

	private final MappingLog log;

	private final FieldClaims claims;

	// Of the types whose sequences could be named.
	private final Map<MongoPersistentEntity<?>, List<CountedField>> fields = new ConcurrentHashMap<>();

	private final Map<String, Places> places = new ConcurrentHashMap<>();

	// By collection. A field is added before its stored ids are read, so that a number
	// that the application chooses meanwhile is excluded.
	private final Map<String, List<CountedField>> issued = new ConcurrentHashMap<>();

	// How many types the mapping contexts have announced.
	private final AtomicInteger told = new AtomicInteger();

	private volatile Look looked = NOT_YET;

	public KnownTypes(MappedSequenceNames names, AssignmentRule rule) {
		this.names = names;
		this.rule = rule;
		this.annotated = new AnnotatedProperties(names.types());
		this.log = new MappingLog(names.types(), rule);
		this.claims = new FieldClaims(rule, this.log);
	}

	MappedSequenceNames names() {
		return this.names;
	}

	MappedTypes mapped() {
		return this.names.types();
	}

	AssignmentRule rule() {
		return this.rule;
	}

	MappingLog log() {
		return this.log;
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
		lookIfInDoubt();
		CountedField field = fieldOf(entityType);
		if (field == null) {
			return null;
		}
		register(field);
		return field.place();
	}

	@Override
	public Claim claim(Class<?> entityType, String database) {
		CountedField field = fieldOf(entityType);
		return (field != null) ? claim(field, database) : Claim.NONE;
	}

	/**
	 * Returns the id of a type in the collection that metadata names now.
	 */
	private @Nullable CountedField fieldOf(Class<?> entityType) {
		NumberedProperty id = mapped().ofDocument(entityType).id();
		return (id != null) ? new CountedField(id, nameOf(entityType), id.placeIn(id.entity().getCollection())) : null;
	}

	/**
	 * Finds the properties of a type that get values.
	 * @throws IllegalStateException if an annotation cannot be honoured, or a number is
	 * stored as something else
	 */
	List<NumberedProperty> requireAssigned(MongoPersistentEntity<?> entity) {
		if (!this.rule.enabled()) {
			return List.of();
		}
		this.log.referencesThatFindNothing(entity);
		MappedType type = mapped().of(entity);
		// Refuses a wrong name even if the type gets no ids.
		type.sequence();
		List<NumberedProperty> properties = Stream
			.concat(Stream.ofNullable(type.id()).filter((id) -> this.rule.assignsIds(type)),
					this.annotated.requireNumbered(entity).stream())
			.toList();
		properties.forEach(NumberedProperty::requireStoredForm);
		this.log.withoutId(type);
		return properties;
	}

	boolean assigns(NumberedProperty property) {
		return this.rule.enabled() && (!property.isId() || this.rule.assignsIds(mapped().of(property.entity())));
	}

	/**
	 * Finds the fields whose sequence is known without a save, whether or not they get
	 * their values from it.
	 */
	Stream<CountedField> fields() {
		return this.fields.values().stream().flatMap(List::stream);
	}

	/**
	 * Compares the types of the start. From now on a field of one belongs to its counter.
	 * @throws HiLoMappingException if two counters would issue the numbers of one field
	 */
	void start() {
		nameTypes();
		Set<MongoPersistentEntity<?>> roots = mapped().roots();
		this.claims.start(fields().filter((field) -> getsNumbers(field, roots)).toList());
	}

	private boolean getsNumbers(CountedField field, Set<MongoPersistentEntity<?>> roots) {
		return field.property().isNumeric() && assigns(field.property()) && roots.contains(field.property().entity());
	}

	/**
	 * Registers a field, and claims it for its sequence, before a number is asked for.
	 * @throws HiLoMappingException if it belongs to another one
	 */
	public Claim claim(CountedField field, String database) {
		lookIfInDoubt();
		register(field);
		return this.claims.claim(field, database);
	}

	/**
	 * Registers the place of a field in all databases, because that of the save is not
	 * known.
	 */
	public void registerEverywhere(CountedField field) {
		placesOf(field.sequence()).add(field.place());
	}

	/**
	 * Records that a sequence issues values for a field.
	 */
	void register(CountedField field) {
		List<CountedField> known = this.issued.get(field.place().collection());
		if (known == null) {
			known = this.issued.computeIfAbsent(field.place().collection(), (absent) -> new CopyOnWriteArrayList<>());
		}
		if (!hasLike(known, field)) {
			synchronized (known) {
				if (!hasLike(known, field)) {
					known.add(field);
				}
			}
		}
	}

	private static boolean hasLike(List<CountedField> known, CountedField field) {
		for (CountedField other : known) {
			if (field.isIssuedLike(other)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Finds the ids and numbers of a document that are in fields with a sequence.
	 */
	List<ChosenValue> chosen(Document document, String collection) {
		List<ChosenValue> chosen = new ArrayList<>(1);
		Object id = StoredValue.of(document.get(Place.ID));
		boolean idIsOfType = false;
		for (CountedField field : this.issued.getOrDefault(collection, List.of())) {
			boolean isId = field.place().isId();
			Object value = isId ? id : StoredValue.of(BsonUtils.resolveValue((Bson) document, field.place().path()));
			if (value != null && field.holds(value)) {
				chosen.add(new ChosenValue(field.sequence(), value, Place.Known.BY_TYPE));
				idIsOfType |= isId && field.sequence().equals(collection);
			}
		}
		// Somebody may call nextId with the collection's name.
		if (id != null && !idIsOfType) {
			chosen.add(new ChosenValue(collection, id, Place.Known.BY_NAME));
		}
		return chosen;
	}

	@Override
	public Places placesOf(String sequence) {
		Places known = this.places.get(sequence);
		if (known == null) {
			nameTypes();
			synchronized (this.places) {
				known = this.places.computeIfAbsent(sequence, this::placesByTypes);
			}
		}
		return known;
	}

	/**
	 * Creates the list of a sequence. The ids of the collection with the sequence's name
	 * are places, too, unless all that counts in the sequence are properties for which it
	 * is the default one, such as {@code orders.number}: no collection has that name.
	 */
	private Places placesByTypes(String sequence) {
		Places known = new Places();
		List<Place> ofTypes = fields().filter((field) -> field.sequence().equals(sequence))
			.map(CountedField::place)
			.toList();
		ofTypes.forEach(known::add);
		if (ofTypes.isEmpty()
				|| ofTypes.stream().anyMatch((place) -> place.isId() || !place.defaultSequence().equals(sequence))) {
			known.addOfName(sequence);
		}
		known.setInDoubt(isInDoubt());
		return known;
	}

	/**
	 * Records that a mapping context adds a type. The next caller looks at it, because
	 * its properties may not be there yet, and this thread may hold the lock of the
	 * context.
	 */
	public void added() {
		this.told.incrementAndGet();
		synchronized (this.places) {
			this.places.values().forEach((list) -> list.setInDoubt(isInDoubt()));
		}
	}

	/**
	 * Looks at the types if the mapping context has told of a new one, or a sequence
	 * could not be named. This does not count the types, as {@link #nameTypes} does,
	 * because that costs more than an id.
	 */
	private void lookIfInDoubt() {
		if (isInDoubt()) {
			nameTypes();
		}
	}

	private boolean isInDoubt() {
		return this.looked.types() < 0 || this.looked.told() != this.told.get() || this.looked.unnamed() > 0;
	}

	@Override
	public void nameTypes() {
		Look last = this.looked;
		int told = this.told.get();
		var entities = mapped().all();
		if (last.types() == entities.size() && !isInDoubt()) {
			return;
		}
		Set<MongoPersistentEntity<?>> roots = (last.types() == entities.size()) ? last.roots() : mapped().roots();
		for (MongoPersistentEntity<?> entity : entities) {
			List<CountedField> found = this.fields.containsKey(entity) ? null : fieldsOf(entity, roots);
			if (found != null) {
				know(entity, found, roots);
			}
		}
		long unnamed = entities.stream().filter((entity) -> !this.fields.containsKey(entity)).count();
		publish(new Look(entities.size(), told, unnamed, roots));
	}

	private void publish(Look look) {
		synchronized (this.places) {
			// Types are never removed, so a look at fewer of them is older.
			if (look.types() >= this.looked.types()) {
				this.looked = look;
				boolean inDoubt = isInDoubt();
				this.places.values()
					.stream()
					.filter((list) -> list.isInDoubt() != inDoubt)
					.forEach((list) -> list.setInDoubt(inDoubt));
			}
		}
	}

	private void know(MongoPersistentEntity<?> entity, List<CountedField> found, Set<MongoPersistentEntity<?>> roots) {
		found.forEach(this::register);
		synchronized (this.places) {
			found.forEach((field) -> {
				Places known = this.places.get(field.sequence());
				if (known != null) {
					known.add(field.place());
				}
			});
			this.fields.put(entity, found);
		}
		found.stream().filter((field) -> getsNumbers(field, roots)).forEach(this.claims::show);
	}

	/**
	 * Finds the fields of a type, or returns {@code null} if a sequence cannot be named.
	 * If a type fails, the others still count: the type may be refused when it is saved,
	 * and a naming strategy may refuse types that never get ids.
	 */
	private @Nullable List<CountedField> fieldsOf(MongoPersistentEntity<?> entity,
			Set<MongoPersistentEntity<?>> roots) {
		try {
			MappedType type = mapped().of(entity);
			if (!type.isDocument() && !roots.contains(entity)) {
				return List.of();
			}
			return Stream.concat(this.annotated.numbered(entity).stream(), Stream.ofNullable(type.id()))
				.flatMap((property) -> Stream.ofNullable(this.names.fixedNameOf(property))
					.map((sequence) -> CountedField.ofMetadata(property, sequence)))
				.toList();
		}
		// A missing class concerns only its own type.
		catch (RuntimeException | LinkageError ex) {
			this.log.notNamed(entity, ex);
			return canBeNamedLater(entity, ex) ? null : List.of();
		}
	}

	/**
	 * Returns whether it helps to ask again. What annotations or missing classes say
	 * stays so, and a strategy may refuse types that never get ids. If no type gets ids
	 * here, each one may have numbers that are asked for by name.
	 */
	private boolean canBeNamedLater(MongoPersistentEntity<?> entity, Throwable failure) {
		return failure instanceof RuntimeException && !(failure instanceof HiLoMappingException)
				&& (!this.rule.enabled() || this.rule.assignsIds(mapped().of(entity)));
	}

	/**
	 * The last look at all types.
	 *
	 * @param types the number of types at that time
	 * @param told how many types the mapping contexts had announced by then
	 * @param unnamed of how many of them a sequence could not be named
	 * @param roots the types that are not only nested in others
	 */
	private record Look(int types, int told, long unnamed, Set<MongoPersistentEntity<?>> roots) {
	}

}

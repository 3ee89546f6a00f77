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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.hilo.HiLoMappingException;
import io.github.hilo.internal.engine.ChosenValue;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.EntitySequenceNames;
import io.github.hilo.internal.mongodb.StoredValue;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.text.Names;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.util.BsonUtils;

/**
 * Finds the sequence and the place of every id and number, by the metadata of all types
 * that are known, and refuses a second counter for one field. Two counters would issue
 * the same number, and one document would replace another.
 * <p>
 * The types of the start are compared with one another at the start, even if this process
 * never saves them, because another process may. A field belongs to the counter of such a
 * type, otherwise to the first one from which a number is issued for it in a database.
 * Who only reads a type claims nothing.
 * <p>
 * A collection that is an expression is not evaluated. Types with the same expression
 * share one collection.
 * <p>
 * Thread-safe: the lock of {@code places} guards what lists have and whether they are in
 * doubt, together with {@code counted} and {@code looked}, and no code of the application
 * runs under it. {@code declared} is replaced as a whole, the other maps and sets are
 * concurrent, and a claim counts its calls in the map's own step. Bounds: the number of
 * types, and of the collections and fields to which they are saved.
 */
public final class KnownTypes implements EntitySequenceNames {

	private static final Logger logger = LoggerFactory.getLogger(KnownTypes.class);

	private static final Look NOT_YET = new Look(-1, 0, 0, Set.of());

	private final MappedSequenceNames names;

	private final AssignmentRule rule;

	private final Map<SavedTo, FieldClaim> claims = new ConcurrentHashMap<>();

	// The types whose sequences could be named, with what counts in them.
	private final Map<MongoPersistentEntity<?>, List<Counted>> counted = new ConcurrentHashMap<>();

	private final Set<Class<?>> unnamed = ConcurrentHashMap.newKeySet();

	private final Map<String, Places> places = new ConcurrentHashMap<>();

	// By collection. A field is added before its stored ids are read, so that a number
	// that the application chooses meanwhile is excluded.
	private final Map<String, Set<IssuedField>> issued = new ConcurrentHashMap<>();

	// The counter of each field with numbers of a type of the start.
	private volatile Map<Place, Counted> declared = Map.of();

	// The counters that metadata shows for fields with numbers, the first for each.
	private final Map<Place, Counted> shown = new ConcurrentHashMap<>();

	private volatile boolean started;

	// Of how many types a mapping context has told.
	private final AtomicInteger told = new AtomicInteger();

	private volatile Look looked = NOT_YET;

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
		lookIfInDoubt();
		Place place = this.names.placeOf(entityType);
		if (place != null) {
			register(place, nameOf(entityType));
		}
		return place;
	}

	@Override
	public Claim claim(Class<?> entityType, String database) {
		NumberedProperty id = this.names.idOf(entityType);
		return (id == null) ? Claim.NONE
				: claim(id, database, id.placeIn(id.entity().getCollection()), nameOf(entityType));
	}

	/**
	 * Finds the properties whose sequence is known without a save, whether or not they
	 * get their values from it.
	 */
	List<Counted> counted() {
		look();
		return this.counted.values().stream().flatMap(List::stream).toList();
	}

	/**
	 * Compares the types of the start. From now on their counters have their fields.
	 * @throws HiLoMappingException if two counters would issue the numbers of one field
	 */
	void start() {
		Map<Place, Counted> counters = new HashMap<>();
		List<Counted> all = counted();
		Set<MongoPersistentEntity<?>> roots = this.names.annotated().roots();
		// Instances of an abstract type do not exist, so a concrete type takes
		// precedence for the same field.
		all.stream()
			.filter((each) -> isAssigned(each, roots))
			.sorted(Comparator.comparing(Counted::isAbstract))
			.forEach((each) -> {
				Counted first = counters.putIfAbsent(each.declaredPlace(), each);
				if (first != null && !first.isSameCounter(each) && !each.isAbstract()) {
					throw new Conflict(first, each).refused(first.declaredPlace().collection());
				}
			});
		this.declared = counters;
		// Of beans that have saved before.
		this.claims.keySet().removeIf((field) -> counters.containsKey(field.place()));
		this.shown.putAll(counters);
		this.started = true;
	}

	private boolean isAssigned(Counted counted, Set<MongoPersistentEntity<?>> roots) {
		return counted.property().isNumeric() && this.rule.assigns(counted.property())
				&& roots.contains(counted.property().entity());
	}

	/**
	 * Claims a field for the counter from which a number is about to be asked for it, and
	 * refuses a second counter there. If a type of the start is saved to the collection,
	 * every process refuses the call. Otherwise a process knows only its own calls.
	 */
	Claim claim(NumberedProperty property, String database, Place place, String sequence) {
		lookIfInDoubt();
		register(place, sequence);
		if (!property.isNumeric()) {
			return Claim.NONE;
		}
		Counted own = new Counted(property, sequence);
		SavedTo field = new SavedTo(database, place);
		FieldClaim claimed = this.claims.get(field);
		if (claimed == null || !claimed.hasIssued()) {
			Names.requireSequence(sequence);
			// Not in the map's own step, because an expression may be evaluated.
			boolean ofItsType = MappedSequenceNames.isSavedTo(property.entity(), place.collection());
			claimed = this.claims.compute(field, (absent, known) -> {
				Counted owner = ownerByMetadata(own, place, ofItsType);
				FieldClaim claim = (known != null) ? known
						: (owner != null) ? new FieldClaim(absent, owner).forGood() : new FieldClaim(absent, own);
				requireSameCounter(claim.owner, own, place);
				claim.calls++;
				return claim;
			});
		}
		requireSameCounter(claimed.owner, own, place);
		return claimed;
	}

	/**
	 * Finds the counter of a type of the start that is saved to a place. All types with
	 * the same expression are saved to the collection that it names now.
	 */
	private @Nullable Counted ownerByMetadata(Counted own, Place place, boolean ofItsType) {
		Counted owner = this.declared.get(place);
		return (owner == null && ofItsType) ? this.declared.get(own.declaredPlace()) : owner;
	}

	private static void requireSameCounter(Counted first, Counted second, Place place) {
		if (!first.isSameCounter(second)) {
			throw new Conflict(first, second).refused(place.collection());
		}
	}

	/**
	 * Notes that a sequence issues values for a place.
	 */
	void register(Place place, String sequence) {
		IssuedField issued = new IssuedField(place.path(), place.form(), sequence);
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
		Object id = StoredValue.of(document.get(Place.ID));
		for (IssuedField issued : this.issued.getOrDefault(collection, Set.of())) {
			Object value = issued.path().equals(Place.ID) ? id
					: StoredValue.of(BsonUtils.resolveValue((Bson) document, issued.path()));
			if (value != null && issued.holds(value)) {
				chosen.add(new ChosenValue(issued.sequence(), value, Place.Known.BY_TYPE));
				named |= issued.sequence().equals(collection) && issued.path().equals(Place.ID);
			}
		}
		// Somebody may call nextId with the collection's name.
		if (!named && id != null) {
			chosen.add(new ChosenValue(collection, id, Place.Known.BY_NAME));
		}
		return chosen;
	}

	@Override
	public Places placesOf(String sequence) {
		Places known = this.places.get(sequence);
		if (known == null) {
			look();
			synchronized (this.places) {
				known = this.places.computeIfAbsent(sequence, this::placesByTypes);
			}
		}
		return known;
	}

	/**
	 * Creates the list of a sequence. The collection that has the sequence's name is no
	 * place if the sequence is the default one of a field, because the name is then that
	 * of no collection.
	 */
	private Places placesByTypes(String sequence) {
		Places known = new Places();
		List<Place> mapped = this.counted.values()
			.stream()
			.flatMap(List::stream)
			.filter((each) -> each.sequence().equals(sequence))
			.map(Counted::place)
			.toList();
		mapped.forEach(known::add);
		if (mapped.isEmpty()
				|| mapped.stream().anyMatch((place) -> place.isId() || !place.defaultSequence().equals(sequence))) {
			known.addOfName(sequence);
		}
		known.setInDoubt(isInDoubt());
		return known;
	}

	@Override
	public void nameTypes() {
		look();
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
	 * A save asks no further, because to count the types of a context costs more than an
	 * id.
	 */
	private void lookIfInDoubt() {
		if (isInDoubt()) {
			look();
		}
	}

	private boolean isInDoubt() {
		return this.looked.types() < 0 || this.looked.told() != this.told.get() || this.looked.unnamed() > 0;
	}

	/**
	 * Names the sequences of the types that are new, and of those that could not be named
	 * before.
	 */
	private void look() {
		Look last = this.looked;
		int told = this.told.get();
		var entities = this.names.mappings().getPersistentEntities();
		if (last.types() == entities.size() && !isInDoubt()) {
			return;
		}
		Set<MongoPersistentEntity<?>> roots = (last.types() == entities.size()) ? last.roots()
				: this.names.annotated().roots();
		for (MongoPersistentEntity<?> entity : entities) {
			List<Counted> found = this.counted.containsKey(entity) ? null : countedIn(entity, roots);
			if (found != null) {
				know(entity, found, roots);
			}
		}
		long unnamed = entities.stream().filter((entity) -> !this.counted.containsKey(entity)).count();
		publish(new Look(entities.size(), told, unnamed, roots));
	}

	private void publish(Look look) {
		synchronized (this.places) {
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

	private void know(MongoPersistentEntity<?> entity, List<Counted> found, Set<MongoPersistentEntity<?>> roots) {
		found.forEach((each) -> register(each.place(), each.sequence()));
		synchronized (this.places) {
			found.forEach((each) -> {
				Places known = this.places.get(each.sequence());
				if (known != null) {
					known.add(each.place());
				}
			});
			this.counted.put(entity, found);
		}
		if (this.started) {
			found.stream()
				.filter((each) -> isAssigned(each, roots) && !each.isAbstract())
				.forEach(this::warnOfSecondCounter);
		}
	}

	private void warnOfSecondCounter(Counted counted) {
		Counted first = this.shown.putIfAbsent(counted.declaredPlace(), counted);
		if (first != null && !first.isSameCounter(counted)) {
			HiLoMappingException refused = new Conflict(first, counted).refused(counted.declaredPlace().collection());
			logger.warn(
					"Only one of two types can be saved. {} A number that is asked for one of them first decides. {}",
					refused.description(), refused.action());
		}
	}

	/**
	 * Finds the properties of a type that count in a sequence, or returns {@code null} if
	 * a sequence cannot be named. If a type fails, the others still count: the type may
	 * be refused when it is saved, and a naming strategy may refuse types that never get
	 * ids.
	 */
	private @Nullable List<Counted> countedIn(MongoPersistentEntity<?> entity, Set<MongoPersistentEntity<?>> roots) {
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
				logger.warn(
						"The sequences of {} could not be named. Each call for a number by name, and each save, tries"
								+ " again. Until one succeeds, numbers that this type has stored may be issued by name",
						entity.getType().getName(), ex);
			}
			return canBeNamedLater(entity, ex) ? null : List.of();
		}
	}

	/**
	 * Returns whether it helps to ask again. What annotations or missing classes say
	 * stays so, and a strategy may refuse types that never get ids.
	 */
	private boolean canBeNamedLater(MongoPersistentEntity<?> entity, Throwable failure) {
		return failure instanceof RuntimeException && !(failure instanceof HiLoMappingException)
				&& (!this.rule.enabled() || this.rule.assignsIds(entity));
	}

	record Counted(NumberedProperty property, String sequence) {

		private boolean isSameCounter(Counted other) {
			return this.sequence.equals(other.sequence);
		}

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
					? Place.ofName(this.sequence, this.property.form()) : declaredPlace();
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
	 * The last look at all types.
	 *
	 * @param types the number of types at that time
	 * @param told of how many types a mapping context had told by then
	 * @param unnamed of how many of them a sequence could not be named
	 * @param roots the types that are not only nested in others
	 */
	private record Look(int types, int told, long unnamed, Set<MongoPersistentEntity<?>> roots) {
	}

	/**
	 * The claim of a field in one database. The map's step for the field guards
	 * {@code calls}.
	 */
	private final class FieldClaim implements Claim {

		private final SavedTo field;

		private final Counted owner;

		private int calls;

		private volatile boolean issued;

		FieldClaim(SavedTo field, Counted owner) {
			this.field = field;
			this.owner = owner;
		}

		FieldClaim forGood() {
			this.issued = true;
			return this;
		}

		boolean hasIssued() {
			return this.issued;
		}

		@Override
		public void issued() {
			if (!this.issued) {
				this.issued = true;
			}
		}

		/**
		 * Until the start, a type of the start can take the field.
		 */
		@Override
		public boolean isForGood() {
			boolean started = KnownTypes.this.started || !KnownTypes.this.rule.enabled();
			return started && this.issued && KnownTypes.this.claims.get(this.field) == this;
		}

		@Override
		public void end() {
			if (!this.issued) {
				KnownTypes.this.claims.computeIfPresent(this.field,
						(known, claim) -> (claim == this && --this.calls == 0 && !this.issued) ? null : claim);
			}
		}

	}

	/**
	 * A field of a collection that a sequence issues values for.
	 */
	private record IssuedField(String path, IdForm form, String sequence) {

		boolean holds(Object value) {
			return (this.form == IdForm.TEXT) ? value instanceof String : value instanceof Long;
		}

	}

}

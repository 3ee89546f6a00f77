package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScope.Place;
import io.github.hilo.store.StoredIdScopes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;

/**
 * Which stored ids count in a sequence: those in the fields that get its numbers, by the
 * mapping metadata of the types known by now, and those where a save has named it. A
 * collection that is an expression is not evaluated for it. The collection of the
 * sequence's own name counts, too, unless that name is the default one of the only field.
 * Internal.
 * <p>
 * A place may become known when this process has ranges already that were checked without
 * it. The first save there returns those ranges, and waits until none is left.
 * <p>
 * Thread-safe: {@link SequencePlaces} is; metadata is read under no lock.
 *
 * @hidden
 */
public final class StoredIdPlaces implements StoredIdScopes {

	private static final Logger logger = LoggerFactory.getLogger(StoredIdPlaces.class);

	private final MappedSequenceNames names;

	private final OneCounterRule oneCounter;

	private final RangeRelease release;

	private final Map<String, SequencePlaces> sequences = new ConcurrentHashMap<>();

	private final Map<String, Mapped> mapped = new ConcurrentHashMap<>();

	private final Set<Class<?>> unnamed = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the places.
	 * @param names names the sequences of entity types
	 * @param rule which properties get values
	 * @param release returns ranges that were checked without a place
	 */
	public StoredIdPlaces(MappedSequenceNames names, AssignmentRule rule, RangeRelease release) {
		this.names = names;
		this.oneCounter = new OneCounterRule(names, rule);
		this.release = release;
	}

	OneCounterRule oneCounter() {
		return this.oneCounter;
	}

	@Override
	public StoredIdScope of(String database, String sequence) {
		this.oneCounter.require((property, name) -> name.equals(sequence));
		SequencePlaces places = placesOf(sequence);
		List<Place> mapped = mapped(sequence);
		List<Place> known = new ArrayList<>(mapped);
		known.addAll(places.all());
		boolean named = !mapped.isEmpty() || places.all().stream().anyMatch(Place::mapped);
		List<Place> added = new ArrayList<>(mapped);
		if (!named) {
			added.addAll(StoredIdScope.ofName(sequence).places());
		}
		else if (!isDefaultName(sequence, known)) {
			known.stream()
				.map((place) -> new Place(sequence, Place.ID, place.numbers(), place.texts(), false))
				.distinct()
				.forEach(added::add);
		}
		return new StoredIdScope(places.check(database, added), named);
	}

	/**
	 * Whether the sequence is named after a field that is not the id: no collection has
	 * that name.
	 */
	private static boolean isDefaultName(String sequence, List<Place> known) {
		return known.stream()
			.allMatch((place) -> !place.isId()
					&& sequence.equals(MappedSequenceNames.defaultNameOf(place.collection(), place.path())));
	}

	/**
	 * Whether all ranges cover a place, so that a save to it need not be announced.
	 * @param collection the collection that a document is saved to
	 * @param path the field that gets a value
	 * @param numeric whether that is a number, or else a text
	 */
	boolean isCovered(String sequence, String collection, String path, boolean numeric) {
		SequencePlaces places = placesOf(sequence);
		return places.isCovered(places.numberOf(place(collection, path, numeric)));
	}

	/**
	 * Announces a save to a place that not all ranges cover.
	 * @param database the sequence's database, or {@code null} if it is not known
	 * @param collection the collection that a document is saved to
	 * @param path the field that gets a value
	 * @param numeric whether that is a number, or else a text
	 * @return what ends once numbers of the sequence can be used there, or with
	 * {@link HiLoUnavailableException}
	 */
	CompletableFuture<@Nullable Void> announce(@Nullable String database, String sequence, String collection,
			String path, boolean numeric) {
		SequencePlaces places = placesOf(sequence);
		Place place = place(collection, path, numeric);
		int number = places.numberOf(place);
		if (places.isCovered(database, number)) {
			return CompletableFuture.completedFuture(null);
		}
		return released(database, sequence, number).<@Nullable Void>handle((none, failure) -> {
			if (failure != null) {
				throw new HiLoUnavailableException("No id from sequence " + Names.quoted(sequence) + " for "
						+ place.describe() + ", which is new to it: the ranges that were reserved without checking it"
						+ " could not be returned: " + NestedExceptionUtils.getMostSpecificCause(failure).getMessage(),
						failure);
			}
			places.released(database, number);
			return null;
		}).toCompletableFuture();
	}

	private CompletionStage<@Nullable Void> released(@Nullable String database, String sequence, int places) {
		try {
			return this.release.release(database, sequence, places);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Of a collection that is an expression only that of the sequence's own name is
	 * known.
	 */
	private static Place place(AssignableProperty property, String sequence) {
		boolean numeric = property.isNumeric();
		return MappedSequenceNames.isCollectionExpression(property.entity())
				? new Place(sequence, Place.ID, numeric, !numeric, false)
				: place(property.entity().getCollection(), property.path(), numeric);
	}

	private static Place place(String collection, String path, boolean numeric) {
		return new Place(collection, path, numeric, !numeric, true);
	}

	private SequencePlaces placesOf(String sequence) {
		SequencePlaces known = this.sequences.get(sequence);
		return (known != null) ? known
				: this.sequences.computeIfAbsent(Names.requireSequence(sequence), (absent) -> new SequencePlaces());
	}

	/**
	 * Finds what metadata says of a sequence. Types become known while an application
	 * runs, but are never forgotten.
	 */
	private List<Place> mapped(String sequence) {
		int types = this.names.mappings().getPersistentEntities().size();
		Mapped known = this.mapped.get(sequence);
		if (known == null || known.types() != types) {
			known = new Mapped(types,
					this.names.mappings()
						.getPersistentEntities()
						.stream()
						.flatMap((entity) -> placesIn(entity, sequence).stream())
						.toList());
			this.mapped.put(sequence, known);
		}
		return known.places();
	}

	/**
	 * A strategy of the user's may refuse types that are never saved with our ids.
	 */
	private List<Place> placesIn(MongoPersistentEntity<?> entity, String sequence) {
		try {
			return isDocument(entity) ? this.names.countedIn(entity)
				.stream()
				.filter((property) -> sequence.equals(this.names.fixedNameOf(property)))
				.map((property) -> place(property, sequence))
				.toList() : List.of();
		}
		catch (RuntimeException ex) {
			if (this.unnamed.add(entity.getType())) {
				logger.warn("The sequences of {} could not be named, so its stored ids are not checked until one is"
						+ " saved", entity.getType().getName(), ex);
			}
			return List.of();
		}
	}

	/**
	 * Whether instances are saved themselves, as far as the type tells.
	 */
	private static boolean isDocument(MongoPersistentEntity<?> entity) {
		return MappedSequenceNames.namesCollection(entity) || !Modifier.isAbstract(entity.getType().getModifiers());
	}

	/**
	 * What metadata says of a sequence.
	 *
	 * @param types how many types were known
	 */
	private record Mapped(int types, List<Place> places) {
	}

}

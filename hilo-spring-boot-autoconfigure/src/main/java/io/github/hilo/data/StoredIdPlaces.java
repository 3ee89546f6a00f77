package io.github.hilo.data;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScope.Place;
import io.github.hilo.store.StoredIdScopes;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

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

	private final KnownTypes types;

	private final RangeRelease release;

	private final Map<String, SequencePlaces> sequences = new ConcurrentHashMap<>();

	/**
	 * Creates the places.
	 * @param names names the sequences of entity types
	 * @param rule which properties get values
	 * @param release returns ranges that were checked without a place
	 */
	public StoredIdPlaces(MappedSequenceNames names, AssignmentRule rule, RangeRelease release) {
		this.types = new KnownTypes(names, rule);
		this.release = release;
	}

	KnownTypes types() {
		return this.types;
	}

	@Override
	public StoredIdScope of(String database, String sequence) {
		this.types.requireOneCounter((counted) -> counted.sequence().equals(sequence));
		SequencePlaces places = placesOf(sequence);
		List<Place> mapped = this.types.counted()
			.stream()
			.filter((counted) -> counted.sequence().equals(sequence))
			.map((counted) -> place(counted.property(), sequence))
			.toList();
		boolean named = !mapped.isEmpty() || places.all().stream().anyMatch(Place::mapped);
		Stream<Place> ofName = !named ? StoredIdScope.ofName(sequence).places().stream()
				: Stream.concat(mapped.stream(), places.all().stream())
					.filter((place) -> !isDefaultName(sequence, place))
					.map((place) -> new Place(sequence, Place.ID, place.numbers(), place.texts(), false));
		return new StoredIdScope(places.check(database, Stream.concat(mapped.stream(), ofName).toList()), named);
	}

	/**
	 * Whether the sequence is named after a field that is not the id: no collection has
	 * that name.
	 */
	private static boolean isDefaultName(String sequence, Place place) {
		return !place.isId() && sequence.equals(MappedSequenceNames.defaultNameOf(place.collection(), place.path()));
	}

	/**
	 * Whether all ranges cover a place, so that a save to it need not be announced.
	 * @param place the field that gets a value
	 */
	boolean isCovered(String sequence, Place place) {
		SequencePlaces places = placesOf(sequence);
		return places.isCovered(places.numberOf(place));
	}

	/**
	 * Announces a save to a place that not all ranges cover.
	 * @param database the sequence's database, or {@code null} if it is not known
	 * @param place the field that gets a value
	 * @return what ends once numbers of the sequence can be used there, or with
	 * {@link HiLoUnavailableException}
	 */
	CompletableFuture<@Nullable Void> announce(@Nullable String database, String sequence, Place place) {
		SequencePlaces places = placesOf(sequence);
		int number = places.numberOf(place);
		if (places.isCovered(database, number)) {
			return CompletableFuture.completedFuture(null);
		}
		return CompletableFuture.<@Nullable Void>completedFuture(null)
			.thenCompose((none) -> this.release.release(database, sequence, number))
			.<@Nullable Void>handle((none, failure) -> {
				if (failure != null) {
					throw new HiLoUnavailableException(
							"No id from sequence " + Names.quoted(sequence) + " for " + place.describe()
									+ ", which is new to it: the ranges that were reserved without checking it"
									+ " could not be returned: "
									+ NestedExceptionUtils.getMostSpecificCause(failure).getMessage(),
							failure);
				}
				places.released(database, number);
				return null;
			});
	}

	/**
	 * Of a collection that is an expression only that of the sequence's own name is
	 * known.
	 */
	private static Place place(AssignableProperty property, String sequence) {
		return MappedSequenceNames.isCollectionExpression(property.entity())
				? new Place(sequence, Place.ID, property.isNumeric(), !property.isNumeric(), false)
				: property.placeIn(property.entity().getCollection());
	}

	private SequencePlaces placesOf(String sequence) {
		SequencePlaces known = this.sequences.get(sequence);
		return (known != null) ? known
				: this.sequences.computeIfAbsent(Names.requireSequence(sequence), (absent) -> new SequencePlaces());
	}

	/**
	 * Returns the ranges that this process holds of a sequence.
	 *
	 * @hidden
	 */
	@FunctionalInterface
	public interface RangeRelease {

		/**
		 * Returns what is unused of ranges for which too few places were checked, without
		 * blocking.
		 * @param database the sequence's database, or {@code null} for every one that has
		 * it
		 * @param sequence the sequence's name
		 * @param places how many places a range must cover to be kept
		 * @return what ends once no number is left of other ranges, or fails if that
		 * takes longer than {@code hilo.timeout}
		 */
		CompletionStage<@Nullable Void> release(@Nullable String database, String sequence, int places);

	}

}

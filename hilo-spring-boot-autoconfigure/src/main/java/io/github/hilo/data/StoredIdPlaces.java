package io.github.hilo.data;

import java.util.List;

import io.github.hilo.store.Place;

/**
 * Where the numbers of a sequence are stored: in the fields that get them, by the mapping
 * metadata of the types known by now. A collection that is an expression is not evaluated
 * for it. Internal.
 * <p>
 * Thread-safe: metadata is read under no lock.
 *
 * @hidden
 */
public final class StoredIdPlaces {

	private final KnownTypes types;

	/**
	 * Creates the places.
	 * @param names names the sequences of entity types
	 * @param rule which properties get values
	 */
	public StoredIdPlaces(MappedSequenceNames names, AssignmentRule rule) {
		this.types = new KnownTypes(names, rule);
	}

	KnownTypes types() {
		return this.types;
	}

	/**
	 * Finds the places of a sequence, by the types that are known now.
	 * @param sequence the sequence's name
	 * @return the places
	 * @throws IllegalStateException if two counters would issue the numbers of one place
	 */
	public List<Place> of(String sequence) {
		this.types.requireOneCounter((counted) -> counted.sequence().equals(sequence));
		return this.types.counted()
			.stream()
			.filter((counted) -> counted.sequence().equals(sequence))
			.map((counted) -> place(counted.property(), sequence))
			.distinct()
			.toList();
	}

	/**
	 * Of a collection that is an expression only that of the sequence's own name is
	 * known.
	 */
	private static Place place(AssignableProperty property, String sequence) {
		return MappedSequenceNames.isCollectionExpression(property.entity())
				? new Place(sequence, Place.ID, !property.isNumeric(), false)
				: property.placeIn(property.entity().getCollection());
	}

}

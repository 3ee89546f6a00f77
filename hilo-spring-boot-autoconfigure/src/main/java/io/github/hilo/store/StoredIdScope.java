package io.github.hilo.store;

import java.util.List;

/**
 * Which stored ids count in a sequence. Internal.
 *
 * @param places where they are, in the order in which they became known; a later scope of
 * the same sequence begins with the same places
 * @param known whether a known type or a setting names the sequence, so that a counter
 * without stored ids is nothing to warn about
 * @hidden
 */
public record StoredIdScope(List<Place> places, boolean known) {

	/**
	 * No stored id counts, so nothing is checked.
	 */
	public static final StoredIdScope NONE = new StoredIdScope(List.of(), true);

	/**
	 * Makes the scope of a sequence of which nothing is known but its name.
	 * @param sequence the sequence's name
	 * @return ids of any form, in the collection of that name
	 */
	public static StoredIdScope ofName(String sequence) {
		return new StoredIdScope(List.of(new Place(sequence, Place.ID, true, true, false)), false);
	}

	/**
	 * Returns the places where ids are numbers.
	 * @return the places
	 */
	public List<Place> numbers() {
		return this.places.stream().filter(Place::numbers).toList();
	}

	/**
	 * Returns the places where ids are texts.
	 * @return the places
	 */
	public List<Place> texts() {
		return this.places.stream().filter(Place::texts).toList();
	}

	/**
	 * A field of the documents of a collection.
	 *
	 * @param collection the collection's name
	 * @param path {@value #ID}, or another field, as a query names it
	 * @param numbers whether numbers in it count
	 * @param texts whether texts such as {@code orders/54-A} in it count
	 * @param mapped whether a known type is saved to the collection; otherwise it has
	 * only the sequence's name
	 * @hidden
	 */
	public record Place(String collection, String path, boolean numbers, boolean texts, boolean mapped) {

		/**
		 * The field that every document has, with an index.
		 */
		public static final String ID = "_id";

		/**
		 * Whether it is the field that every document has.
		 * @return {@code true} for {@value #ID}
		 */
		public boolean isId() {
			return this.path.equals(ID);
		}

		/**
		 * Whether a check of this place finds all that a check of another one finds.
		 * @param other the other
		 * @return {@code true} if it does
		 */
		public boolean covers(Place other) {
			return this.collection.equals(other.collection) && this.path.equals(other.path)
					&& (this.numbers || !other.numbers) && (this.texts || !other.texts)
					&& (this.mapped || !other.mapped);
		}

		/**
		 * Names the field in a message.
		 * @return the collection, and the field unless it is {@value #ID}
		 */
		public String describe() {
			String place = "collection " + Names.quoted(this.collection);
			return isId() ? place : "field " + Names.quoted(this.path) + " of " + place;
		}

	}

}

package io.github.hilo.store;

import java.util.List;

/**
 * Which stored ids count in a sequence: where they are, and what they look like.
 * Internal.
 *
 * @param numbers whether ids that are numbers do
 * @param texts whether texts such as {@code orders/54-A} do
 * @param collections where such ids may be
 */
public record StoredIdScope(boolean numbers, boolean texts, List<Collection> collections) {

	/**
	 * No stored id counts, so nothing is looked at.
	 */
	public static final StoredIdScope NONE = new StoredIdScope(false, false, List.of());

	/**
	 * Makes the scope of a sequence of which nothing is known but its name.
	 * @param sequence the sequence's name
	 * @return ids of any form, in the collection of that name
	 */
	public static StoredIdScope ofName(String sequence) {
		return new StoredIdScope(true, true, List.of(new Collection(sequence, false)));
	}

	/**
	 * Whether nothing has to be looked at.
	 * @return {@code true} if no stored id can count
	 */
	public boolean isEmpty() {
		return !(this.numbers || this.texts) || this.collections.isEmpty();
	}

	/**
	 * Returns what two scopes have in common.
	 * @param other the other
	 * @return the ids that a look at either of them finds
	 */
	public StoredIdScope and(StoredIdScope other) {
		return new StoredIdScope(this.numbers && other.numbers, this.texts && other.texts,
				this.collections.stream().filter((collection) -> other.has(collection.name())).toList());
	}

	/**
	 * Whether a look at this scope finds all that a look at another one finds.
	 * @param other the other
	 * @return {@code true} if it does
	 */
	public boolean covers(StoredIdScope other) {
		return (this.numbers || !other.numbers) && (this.texts || !other.texts)
				&& other.collections.stream().allMatch((collection) -> has(collection.name()));
	}

	/**
	 * Whether a look at this scope finds the ids of a collection.
	 * @param collection the collection's name
	 * @param numeric whether its ids are numbers, or else texts
	 * @return {@code true} if it does
	 */
	public boolean covers(String collection, boolean numeric) {
		return (numeric ? this.numbers : this.texts) && has(collection);
	}

	private boolean has(String collection) {
		return this.collections.stream().anyMatch((place) -> place.name().equals(collection));
	}

	/**
	 * A collection whose ids may count.
	 *
	 * @param name its name
	 * @param mapped whether a known type is saved to it; otherwise it has only the
	 * sequence's name
	 */
	public record Collection(String name, boolean mapped) {
	}

}

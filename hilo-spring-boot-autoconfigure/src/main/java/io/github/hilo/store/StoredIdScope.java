package io.github.hilo.store;

import java.util.List;

/**
 * Which stored ids count in a sequence: where they are, and what they look like. An id is
 * a value of {@code _id}, or of any other field that gets numbers or document ids.
 * Internal.
 *
 * @param numbers whether ids that are numbers do
 * @param texts whether texts such as {@code orders/54-A} do
 * @param fields where such ids may be
 * @hidden
 */
public record StoredIdScope(boolean numbers, boolean texts, List<Field> fields) {

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
		return new StoredIdScope(true, true, List.of(Field.id(sequence, false)));
	}

	/**
	 * Whether nothing has to be looked at.
	 * @return {@code true} if no stored id can count
	 */
	public boolean isEmpty() {
		return !(this.numbers || this.texts) || this.fields.isEmpty();
	}

	/**
	 * Returns what two scopes have in common.
	 * @param other the other
	 * @return the ids that a look at either of them finds
	 */
	public StoredIdScope and(StoredIdScope other) {
		return new StoredIdScope(this.numbers && other.numbers, this.texts && other.texts,
				this.fields.stream().filter((field) -> other.has(field.collection(), field.path())).toList());
	}

	/**
	 * Whether a look at this scope finds all that a look at another one finds.
	 * @param other the other
	 * @return {@code true} if it does
	 */
	public boolean covers(StoredIdScope other) {
		return (this.numbers || !other.numbers) && (this.texts || !other.texts)
				&& other.fields.stream().allMatch((field) -> has(field.collection(), field.path()));
	}

	/**
	 * Whether a look at this scope finds the ids of a field.
	 * @param collection the collection's name
	 * @param path the field
	 * @param numeric whether its ids are numbers, or else texts
	 * @return {@code true} if it does
	 */
	public boolean covers(String collection, String path, boolean numeric) {
		return (numeric ? this.numbers : this.texts) && has(collection, path);
	}

	private boolean has(String collection, String path) {
		return this.fields.stream()
			.anyMatch((field) -> field.collection().equals(collection) && field.path().equals(path));
	}

	/**
	 * A field whose values may count.
	 *
	 * @param collection the name of the documents' collection
	 * @param path the field in the documents: {@value #ID}, or another one, as a query
	 * names it
	 * @param mapped whether a known type is saved to the collection; otherwise it has
	 * only the sequence's name
	 * @hidden
	 */
	public record Field(String collection, String path, boolean mapped) {

		/**
		 * The field that every document has.
		 */
		public static final String ID = "_id";

		/**
		 * Makes the field of a collection that every document has.
		 * @param collection the collection's name
		 * @param mapped whether a known type is saved to it
		 * @return the field
		 */
		public static Field id(String collection, boolean mapped) {
			return new Field(collection, ID, mapped);
		}

		/**
		 * Whether it is the field that every document has, and an index.
		 * @return {@code true} for {@value #ID}
		 */
		public boolean isId() {
			return this.path.equals(ID);
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

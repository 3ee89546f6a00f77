package io.github.hilo.internal.store;

import io.github.hilo.internal.text.Names;

/**
 * A place where numbers of a sequence are stored: a field of the documents of a
 * collection.
 *
 * @param path {@value #ID}, or another field, as a query names it
 * @param form what the field has
 * @param known how the place is known. It is part of equality: a place by name is passed
 * over if it may not be read
 */
public record Place(String collection, String path, IdForm form, Known known) {

	public static final String ID = "_id";

	/**
	 * Returns a field of a collection to which a known type is saved.
	 */
	public static Place ofType(String collection, String path, IdForm form) {
		return new Place(collection, path, form, Known.BY_TYPE);
	}

	/**
	 * Returns the ids of the collection with a sequence's name.
	 */
	public static Place ofName(String sequence, IdForm form) {
		return new Place(sequence, ID, form, Known.BY_NAME);
	}

	public boolean isOfType() {
		return this.known == Known.BY_TYPE;
	}

	public boolean isId() {
		return this.path.equals(ID);
	}

	/**
	 * Returns the sequence of a field that is not the id, if no annotation names one.
	 */
	public String defaultSequence() {
		return this.collection + "." + this.path;
	}

	/**
	 * Returns this place as one where a known type is saved.
	 */
	public Place asOfType() {
		return ofType(this.collection, this.path, this.form);
	}

	public String describe() {
		String place = "collection " + Names.quoted(this.collection);
		return isId() ? place : "field " + Names.quoted(this.path) + " of " + place;
	}

	public enum Known {

		/**
		 * A known type is saved to the collection.
		 */
		BY_TYPE,

		/**
		 * The collection only has the sequence's name.
		 */
		BY_NAME

	}

}

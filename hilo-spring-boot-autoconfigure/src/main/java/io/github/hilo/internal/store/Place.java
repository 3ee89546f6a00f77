package io.github.hilo.internal.store;

import io.github.hilo.internal.text.Names;

/**
 * A place where numbers of a sequence are stored: a field of the documents of a
 * collection.
 *
 * @param path {@value #ID}, or another field, as a query names it
 * @param text whether the field has texts such as {@code orders/54-A}; otherwise it has
 * numbers
 * @param mapped whether a known type is saved to the collection; otherwise the collection
 * only has the sequence's name. It is part of equality: a collection without a known type
 * is passed over if it may not be read
 */
public record Place(String collection, String path, boolean text, boolean mapped) {

	public static final String ID = "_id";

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
	public Place asMapped() {
		return new Place(this.collection, this.path, this.text, true);
	}

	public String describe() {
		String place = "collection " + Names.quoted(this.collection);
		return isId() ? place : "field " + Names.quoted(this.path) + " of " + place;
	}

}

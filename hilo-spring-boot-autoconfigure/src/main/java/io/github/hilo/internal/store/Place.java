package io.github.hilo.internal.store;

import io.github.hilo.internal.text.Names;

/**
 * Where numbers of a sequence are stored: a field of the documents of a collection, and
 * what it holds.
 *
 * @param path {@value #ID}, or another field, as a query names it
 * @param text whether it holds texts such as {@code orders/54-A}, or else numbers
 * @param mapped whether a known type is saved to the collection; otherwise it has only
 * the sequence's name
 */
public record Place(String collection, String path, boolean text, boolean mapped) {

	public static final String ID = "_id";

	public boolean isId() {
		return this.path.equals(ID);
	}

	/**
	 * Returns the sequence of a field that is not the id, where no annotation names one.
	 */
	public String defaultSequence() {
		return this.collection + "." + this.path;
	}

	/**
	 * Names the collection in a message, and the field unless it is {@value #ID}.
	 */
	public String describe() {
		String place = "collection " + Names.quoted(this.collection);
		return isId() ? place : "field " + Names.quoted(this.path) + " of " + place;
	}

}

package io.github.hilo.internal.check;

import io.github.hilo.internal.mongodb.BsonText;
import io.github.hilo.internal.mongodb.StoredValue;
import io.github.hilo.internal.store.Place;
import org.bson.BsonValue;

/**
 * An id that a document has.
 */
public record StoredId(Place place, BsonValue id) {

	/**
	 * Returns the id as a whole number, rounded down, or 0 if it is no number.
	 */
	public long number() {
		return (StoredValue.of(this.id) instanceof Long number) ? number : 0;
	}

	/**
	 * Returns the text, or an empty string if the id is no text.
	 */
	String text() {
		return (StoredValue.of(this.id) instanceof String text) ? text : "";
	}

	public String describe() {
		return BsonText.of(this.id);
	}

}

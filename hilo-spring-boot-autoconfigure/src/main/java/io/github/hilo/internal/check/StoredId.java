package io.github.hilo.internal.check;

import io.github.hilo.internal.mongodb.BsonText;
import io.github.hilo.internal.store.Place;
import org.bson.BsonValue;

/**
 * An id that a document has.
 */
public record StoredId(Place place, BsonValue id) {

	/**
	 * Returns the id as a whole number, rounded down. The id is a number of at least 0
	 * that a {@code long} can hold. A decimal is converted by its digits, because its own
	 * {@code longValue()} goes through a double, which is exact only up to 2^53.
	 */
	public long number() {
		return this.id.isDecimal128() ? this.id.asDecimal128().getValue().bigDecimalValue().longValue()
				: this.id.asNumber().longValue();
	}

	/**
	 * Returns the text, or an empty string if the id is no text. Symbols compare like
	 * strings.
	 */
	String text() {
		return this.id.isSymbol() ? this.id.asSymbol().getSymbol()
				: this.id.isString() ? this.id.asString().getValue() : "";
	}

	public String describe() {
		return BsonText.of(this.id);
	}

}

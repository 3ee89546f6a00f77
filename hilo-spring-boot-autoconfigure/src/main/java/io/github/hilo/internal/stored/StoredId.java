package io.github.hilo.internal.stored;

import java.util.List;

import io.github.hilo.internal.mongodb.BsonText;
import io.github.hilo.internal.store.Place;
import org.bson.BsonValue;

/**
 * An id that is stored already.
 */
public record StoredId(Place place, BsonValue id) {

	static long highest(List<StoredId> ids) {
		return ids.stream().mapToLong(StoredId::number).max().orElse(0);
	}

	/**
	 * The whole number at or below it, where it is a number of at least 0 that a
	 * {@code long} can hold. That of a decimal is not its own {@code longValue()}, which
	 * goes through a double and is exact only to 2^53.
	 */
	public long number() {
		return this.id.isDecimal128() ? this.id.asDecimal128().getValue().bigDecimalValue().longValue()
				: this.id.asNumber().longValue();
	}

	/**
	 * The text, or an empty one if it is none. Symbols compare like strings.
	 */
	String text() {
		return this.id.isSymbol() ? this.id.asSymbol().getSymbol()
				: this.id.isString() ? this.id.asString().getValue() : "";
	}

	public String describe() {
		return BsonText.of(this.id);
	}

}

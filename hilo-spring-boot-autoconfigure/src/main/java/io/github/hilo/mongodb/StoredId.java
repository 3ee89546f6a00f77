package io.github.hilo.mongodb;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.StoredIdScope;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * An id that is stored already.
 *
 * @param place where
 * @param id the id, or {@code null} if its document answered without it
 */
record StoredId(StoredIdScope.Place place, @Nullable BsonValue id) {

	/**
	 * The highest number of some ids.
	 */
	static HighestStoredId highest(List<StoredId> numbers) {
		return numbers.stream()
			.map((id) -> new HighestStoredId(id.number(), id.place.describe(), null))
			.reduce(HighestStoredId.NONE, HighestStoredId::or);
	}

	/**
	 * The whole number at or below it.
	 */
	long number() {
		return value().setScale(0, RoundingMode.FLOOR).longValueExact();
	}

	private BigDecimal value() {
		if (this.id == null || !this.id.isNumber()) {
			throw new IllegalStateException("A find of numbers was answered " + describe());
		}
		return this.id.isDecimal128() ? this.id.asDecimal128().getValue().bigDecimalValue() : this.id.isDouble()
				? new BigDecimal(this.id.asDouble().getValue()) : BigDecimal.valueOf(this.id.asNumber().longValue());
	}

	/**
	 * Shows the id in a message.
	 */
	String describe() {
		return (this.id != null) ? BsonText.of(this.id) : "nothing";
	}

}

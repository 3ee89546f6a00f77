package io.github.hilo.internal.mapping;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;

/**
 * An id or a number that an entity does not have yet when it is saved.
 *
 * @param sequence the sequence that issues the value
 * @param place the collection and the field that the value will be stored in
 */
public record MissingValue(NumberedProperty property, String sequence, Place place, KnownTypes types) {

	/**
	 * Claims the field for the sequence, before a number is asked for.
	 * @throws io.github.hilo.HiLoMappingException if it belongs to another one
	 */
	public Claim claim(String database) {
		return this.types.claim(this.property, database, this.place, this.sequence);
	}

	/**
	 * Registers the place in all databases, because that of the save is not known.
	 */
	public void registerEverywhere() {
		this.types.placesOf(this.sequence).add(this.place);
	}

	public Object requireFit(Object value) {
		if (value instanceof Long number && number > Integer.MAX_VALUE && this.property.isInt()) {
			throw new HiLoExhaustedException("Number " + number + " of sequence " + Names.quoted(this.sequence)
					+ " does not fit the int "
					+ (this.property.isId() ? "id" : "property " + Names.quoted(this.property.name())) + " of "
					+ this.property.entity().getType().getName() + ", which holds at most " + Integer.MAX_VALUE
					+ ". Make it a long, or lower the counter if somebody set it too high, or if it was created above a"
					+ " stored id that is too high, such as " + Integer.MAX_VALUE + ".");
		}
		return value;
	}

}

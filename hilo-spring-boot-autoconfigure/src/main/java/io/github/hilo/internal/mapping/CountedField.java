package io.github.hilo.internal.mapping;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.Names;

/**
 * A field of a collection that a property fills with ids or numbers of a sequence.
 *
 * @param place the collection and the field. If metadata has an expression in place of
 * the collection, and no save has named one, it is the collection with the sequence's
 * name
 */
public record CountedField(NumberedProperty property, String sequence, Place place) {

	/**
	 * Returns the field that metadata shows.
	 */
	static CountedField ofMetadata(NumberedProperty property, String sequence) {
		return new CountedField(property, sequence, (MappedType.collectionExpressionOf(property.entity()) != null)
				? Place.ofName(sequence, property.form()) : property.declaredPlace());
	}

	boolean isSameCounter(CountedField other) {
		return this.sequence.equals(other.sequence);
	}

	/**
	 * Returns whether another field of the same collection has the same values.
	 */
	boolean isIssuedLike(CountedField other) {
		return this.sequence.equals(other.sequence) && this.place.path().equals(other.place.path())
				&& this.place.form() == other.place.form();
	}

	boolean isOfAbstractType() {
		return MappedType.isAbstract(this.property.entity());
	}

	/**
	 * Returns whether a stored value has the form of the field's values.
	 */
	boolean holds(Object value) {
		return (this.place.form() == IdForm.NUMBER) ? value instanceof Long : value instanceof String;
	}

	/**
	 * Returns a value if it fits the property.
	 * @throws HiLoExhaustedException if it does not
	 */
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

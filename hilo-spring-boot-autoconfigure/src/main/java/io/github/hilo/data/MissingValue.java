package io.github.hilo.data;

import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.StoredIdScope.Place;
import org.jspecify.annotations.Nullable;

/**
 * An id or a number that an entity has to get.
 *
 * @param entity the entity
 * @param property the property that lacks it
 * @param sequence the sequence that it comes from
 * @param place the field that the entity is saved with
 * @param places takes the announcement of a place that not every range covers
 */
record MissingValue(Object entity, AssignableProperty property, String sequence, Place place, StoredIdPlaces places) {

	boolean isNumeric() {
		return this.property.isNumeric();
	}

	/**
	 * Whether the place has to be announced.
	 */
	boolean isLate() {
		return !this.places.isCovered(this.sequence, this.place);
	}

	/**
	 * Announces the place.
	 * @param database the database of the ids, or {@code null} if it is not known
	 * @return what ends once numbers of the sequence can be used there, or with
	 * {@link HiLoUnavailableException}
	 */
	CompletableFuture<@Nullable Void> announce(@Nullable String database) {
		return this.places.announce(database, this.sequence, this.place);
	}

	/**
	 * Gives the entity a number or a document id.
	 * @return the entity with it
	 */
	Object assign(Object value) {
		return this.property.assign(this.entity, value, this.sequence);
	}

}

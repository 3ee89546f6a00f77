package io.github.hilo.data;

import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

/**
 * An id or a number that an entity has to get.
 *
 * @param entity the entity
 * @param property the property that lacks it
 * @param sequence the sequence that it comes from
 * @param collection the collection that the entity is saved to
 * @param late takes the announcement of a place that not every range covers, {@code null}
 * if there is nothing to announce
 */
record MissingValue(Object entity, AssignableProperty property, String sequence, String collection,
		@Nullable StoredIdPlaces late) {

	boolean isNumeric() {
		return this.property.isNumeric();
	}

	boolean isLate() {
		return this.late != null;
	}

	/**
	 * Announces the place.
	 * @param database the database of the ids, or {@code null} if it is not known
	 * @return what ends once numbers of the sequence can be used there, or with
	 * {@link HiLoUnavailableException}
	 */
	CompletableFuture<@Nullable Void> announce(@Nullable String database) {
		return (this.late != null)
				? this.late.announce(database, this.sequence, this.collection, this.property.path(), isNumeric())
				: CompletableFuture.completedFuture(null);
	}

	/**
	 * Announces the place, and waits.
	 * @param database the database of the ids, or {@code null} if it is not known
	 * @throws HiLoUnavailableException if that took too long
	 */
	void await(@Nullable String database) {
		Answers.await(announce(database),
				"Interrupted while the ranges of sequence " + Names.quoted(this.sequence) + " were being returned");
	}

	/**
	 * Gives the entity a number.
	 * @return the entity with it
	 */
	Object assign(long number) {
		return this.property.assignNumber(this.entity, number, this.sequence);
	}

	/**
	 * Gives the entity a document id.
	 * @return the entity with it
	 */
	Object assign(String documentId) {
		return this.property.assign(this.entity, documentId);
	}

}

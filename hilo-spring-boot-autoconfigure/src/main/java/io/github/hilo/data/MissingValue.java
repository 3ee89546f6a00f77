package io.github.hilo.data;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

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
		CompletableFuture<@Nullable Void> ready = announce(database);
		// A thread of a fork-join pool that waits for a future runs other tasks
		// meanwhile.
		CountDownLatch ended = new CountDownLatch(1);
		CompletableFuture<@Nullable Throwable> outcome = ready.handle((none, failure) -> failure);
		CompletableFuture<Void> unused = outcome.thenRun(ended::countDown);
		try {
			ended.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new HiLoUnavailableException(
					"Interrupted while the ranges of sequence " + Names.quoted(this.sequence) + " were being returned",
					ex);
		}
		Throwable failure = outcome.join();
		if (failure != null) {
			throw new HiLoUnavailableException(String.valueOf(messageOf(failure)), failure);
		}
	}

	private static @Nullable String messageOf(Throwable failure) {
		return ((failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure)
			.getMessage();
	}

	/**
	 * Gives the entity a number.
	 * @return the entity with it
	 */
	Object assign(long number) {
		return this.property.assign(this.entity, number, this.sequence);
	}

	/**
	 * Gives the entity a document id.
	 * @return the entity with it
	 */
	Object assign(String documentId) {
		return this.property.assign(this.entity, documentId);
	}

}

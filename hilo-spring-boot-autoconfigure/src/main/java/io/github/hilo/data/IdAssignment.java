package io.github.hilo.data;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.util.ProxyUtils;

/**
 * Which entities get ids before they are saved, and from which sequence.
 * <p>
 * Thread-safe.
 */
final class IdAssignment {

	private final MappedSequenceNames names;

	private final AssignIds assignIds;

	private final MappedIdScopes scopes;

	private final Map<Class<?>, Optional<Target>> targets = new ConcurrentHashMap<>();

	IdAssignment(MappedSequenceNames names, AssignIds assignIds) {
		this.names = names;
		this.assignIds = assignIds;
		this.scopes = names.scopes();
	}

	/**
	 * Finds out whether an entity has to get an id.
	 * @param entity what is about to be saved
	 * @param collection the collection that it is saved to
	 * @return what it lacks, or {@code null} if it is saved as it is
	 */
	@Nullable MissingId missing(Object entity, String collection) {
		Target target = this.targets
			.computeIfAbsent(ProxyUtils.getUserClass(entity), (type) -> Optional.ofNullable(targetOf(type)))
			.orElse(null);
		if (target == null || !target.id().isMissing(entity)) {
			return null;
		}
		String sequence = this.names.nameOf(target.entity(), target.id(), collection);
		boolean covered = this.scopes.isCovered(sequence, collection, target.id().isNumeric());
		return new MissingId(entity, target.id(), sequence, collection, covered ? null : this.scopes);
	}

	private @Nullable Target targetOf(Class<?> type) {
		MongoPersistentEntity<?> entity = this.names.entityOf(type);
		if (entity == null || !isAssigned(entity)) {
			return null;
		}
		AssignableId id = AssignableId.of(entity);
		return (id != null) ? new Target(entity, id) : null;
	}

	private boolean isAssigned(MongoPersistentEntity<?> entity) {
		HiLo annotation = entity.findAnnotation(HiLo.class);
		if (annotation != null) {
			return annotation.enabled() && this.assignIds != AssignIds.NONE;
		}
		return this.assignIds == AssignIds.ALL && !entity.getType().getName().startsWith("org.springframework.");
	}

	/**
	 * A type that gets ids.
	 */
	private record Target(MongoPersistentEntity<?> entity, AssignableId id) {
	}

	/**
	 * The id that an entity has to get.
	 *
	 * @param entity the entity
	 * @param id its id property
	 * @param sequence the sequence that its id comes from
	 * @param collection the collection that the entity is saved to
	 * @param late takes the announcement of a collection that not every range was looked
	 * at with, or {@code null} if there is nothing to announce
	 */
	record MissingId(Object entity, AssignableId id, String sequence, String collection,
			@Nullable MappedIdScopes late) {

		boolean isNumeric() {
			return this.id.isNumeric();
		}

		boolean isLate() {
			return this.late != null;
		}

		/**
		 * Announces the collection.
		 * @param database the database of the ids, or {@code null} if it is not known
		 * @return what ends once numbers of the sequence can be used in it, or with
		 * {@link HiLoUnavailableException}
		 */
		CompletableFuture<@Nullable Void> announce(@Nullable String database) {
			return (this.late != null) ? this.late.announce(database, this.sequence, this.collection, isNumeric())
					: CompletableFuture.completedFuture(null);
		}

		/**
		 * Announces the collection, and waits.
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
				throw new HiLoUnavailableException("Interrupted while the ranges of sequence "
						+ Names.quoted(this.sequence) + " were being returned", ex);
			}
			Throwable failure = outcome.join();
			if (failure != null) {
				throw new HiLoUnavailableException(String.valueOf(messageOf(failure)), failure);
			}
		}

		private static @Nullable String messageOf(Throwable failure) {
			return ((failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
					: failure)
				.getMessage();
		}

		/**
		 * Gives the entity a number.
		 * @return the entity with its id
		 */
		Object assign(long number) {
			return this.id.assign(this.entity, number, this.sequence);
		}

		/**
		 * Gives the entity a document id.
		 * @return the entity with its id
		 */
		Object assign(String documentId) {
			return this.id.assign(this.entity, documentId);
		}

	}

}

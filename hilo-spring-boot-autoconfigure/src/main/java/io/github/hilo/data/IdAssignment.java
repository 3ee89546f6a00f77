package io.github.hilo.data;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.Quoted;
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
		return new MissingId(entity, target.id(), sequence,
				this.scopes.named(sequence, collection, target.id().isNumeric()));
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
	 * @param ready ends once numbers of the sequence can be used in its collection
	 */
	record MissingId(Object entity, AssignableId id, String sequence, CompletionStage<@Nullable Void> ready) {

		boolean isNumeric() {
			return this.id.isNumeric();
		}

		boolean isReady() {
			return this.ready.toCompletableFuture().isDone()
					&& !this.ready.toCompletableFuture().isCompletedExceptionally();
		}

		/**
		 * Waits until numbers of the sequence can be used in the entity's collection.
		 * @throws HiLoUnavailableException if that took too long
		 */
		void awaitReady() {
			if (isReady()) {
				return;
			}
			// A thread of a fork-join pool that waits for a future runs other tasks
			// meanwhile.
			CountDownLatch ended = new CountDownLatch(1);
			CompletionStage<@Nullable Void> unused = this.ready.whenComplete((ready, failure) -> ended.countDown());
			try {
				ended.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new HiLoUnavailableException("Interrupted while the ranges of sequence "
						+ Quoted.name(this.sequence) + " were being returned", ex);
			}
			CompletionStage<@Nullable Throwable> outcome = this.ready.handle((ready, failure) -> failure);
			Throwable failure = outcome.toCompletableFuture().join();
			if (failure != null) {
				throw new HiLoUnavailableException(String.valueOf(failure.getMessage()), failure);
			}
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

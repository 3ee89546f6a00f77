package io.github.hilo.data;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLo;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.util.ProxyUtils;

/**
 * Which entities get ids before they are saved, and from which sequence.
 * <p>
 * Thread-safe.
 */
final class IdAssignment {

	/**
	 * After auditing, which has order 100 and takes an entity with an id for an old one.
	 */
	static final int ORDER = 200;

	private final MappedSequenceNames names;

	private final AssignIds assignIds;

	private final Map<Class<?>, Optional<Target>> targets = new ConcurrentHashMap<>();

	IdAssignment(MappedSequenceNames names, AssignIds assignIds) {
		this.names = names;
		this.assignIds = assignIds;
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
		return new MissingId(entity, target.id(), this.names.nameOf(target.entity(), target.id(), collection));
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
	 */
	record MissingId(Object entity, AssignableId id, String sequence) {

		boolean isNumeric() {
			return this.id.isNumeric();
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

package io.github.hilo.data;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.util.ProxyUtils;

/**
 * Gives an entity without an id one before it is saved: a document id where the id is a
 * {@code String}, a number where it is a {@code long} or {@code int}. An id that is set
 * is never changed; ids of any other type, and what is no entity, are left alone.
 * <p>
 * Ids come from the generator's database, whichever template saves. For a second template
 * on another database, set a copy on it:
 * {@code template.setEntityCallbacks(EntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe.
 */
public final class HiLoBeforeConvertCallback implements BeforeConvertCallback<Object>, Ordered {

	/**
	 * After auditing, which has order 100 and takes an entity with an id for an old one.
	 */
	public static final int ORDER = 200;

	private final Supplier<HiLoIdGenerator> generator;

	private final MappedSequenceNames names;

	private final AssignIds assignIds;

	private final Map<Class<?>, Optional<Target>> targets = new ConcurrentHashMap<>();

	/**
	 * Creates a callback.
	 * @param generator supplies the generator when it is first needed: it may depend on
	 * beans that look for callbacks themselves
	 * @param names names the sequences
	 * @param assignIds which types get ids
	 */
	public HiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, MappedSequenceNames names,
			AssignIds assignIds) {
		this.generator = generator;
		this.names = names;
		this.assignIds = assignIds;
	}

	/**
	 * Makes a callback like this one that takes ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new HiLoBeforeConvertCallback(() -> generator, this.names, this.assignIds);
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		Target target = this.targets
			.computeIfAbsent(ProxyUtils.getUserClass(entity), (type) -> Optional.ofNullable(targetOf(type)))
			.orElse(null);
		if (target == null || !target.id().isMissing(entity)) {
			return entity;
		}
		String sequence = this.names.nameOf(target.entity(), target.id(), collection);
		return target.id().assign(entity, this.generator.get(), sequence);
	}

	@Override
	public int getOrder() {
		return ORDER;
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

}

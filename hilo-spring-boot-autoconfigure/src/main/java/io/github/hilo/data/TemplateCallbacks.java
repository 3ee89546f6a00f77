package io.github.hilo.data;

import java.util.Objects;

import io.github.hilo.HiLoIdGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * The callbacks of a template, which know that it is the one that saves: Spring Data
 * calls every callback bean for every template, and does not tell which. Internal.
 * <p>
 * Thread-safe: the generator is published by one volatile write.
 *
 * @hidden
 */
public final class TemplateCallbacks implements EntityCallbacks {

	/**
	 * Those of the template that saves on this thread, bound for the length of the call.
	 */
	private static final ThreadLocal<@Nullable TemplateCallbacks> SAVING = new ThreadLocal<>();

	private final EntityCallbacks callbacks;

	private final MongoTemplate template;

	/**
	 * The generator of the template's database, once it is certain that it cannot change.
	 */
	private volatile @Nullable HiLoIdGenerator generator;

	/**
	 * Creates the callbacks.
	 * @param callbacks those that the template had
	 * @param template the template
	 */
	public TemplateCallbacks(EntityCallbacks callbacks, MongoTemplate template) {
		this.callbacks = callbacks;
		this.template = template;
	}

	/**
	 * Finds the generator of the database that documents go to which are being saved on
	 * this thread.
	 * @param generator that of the default database, which is used where the template
	 * cannot be told
	 */
	static HiLoIdGenerator generator(HiLoIdGenerator generator, TemplateDatabases<MongoDatabaseFactory, String> names) {
		TemplateCallbacks saving = SAVING.get();
		HiLoIdGenerator known = (saving != null) ? saving.generator : generator;
		return (known != null) ? known : Objects.requireNonNull(saving).find(generator, names);
	}

	private HiLoIdGenerator find(HiLoIdGenerator generator, TemplateDatabases<MongoDatabaseFactory, String> names) {
		MongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		String database = names.nameOf(factory);
		// A mock may answer nothing.
		HiLoIdGenerator found = database.isEmpty() ? generator
				: Objects.requireNonNullElse(generator.forDatabase(database), generator);
		if (names.isFixed(factory)) {
			this.generator = found;
		}
		return found;
	}

	@Override
	@SuppressWarnings("rawtypes")
	public <T> T callback(Class<? extends EntityCallback> type, T entity, Object... args) {
		if (type != BeforeConvertCallback.class) {
			return this.callbacks.callback(type, entity, args);
		}
		// A callback of the application's may save by another template.
		TemplateCallbacks outer = SAVING.get();
		SAVING.set(this);
		try {
			return this.callbacks.callback(type, entity, args);
		}
		finally {
			SAVING.set(outer);
		}
	}

	@Override
	public void addEntityCallback(EntityCallback<?> callback) {
		this.callbacks.addEntityCallback(callback);
	}

}

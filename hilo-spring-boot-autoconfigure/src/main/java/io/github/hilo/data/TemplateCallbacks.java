package io.github.hilo.data;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * The callbacks of a template, which know that it is the one that saves: Spring Data
 * calls every callback bean for every template, and does not tell which. Internal.
 *
 * @param callbacks those that the template had
 * @param template the template
 * @hidden
 */
public record TemplateCallbacks(EntityCallbacks callbacks, MongoTemplate template) implements EntityCallbacks {

	/**
	 * The template that saves on this thread, bound for the length of the call.
	 */
	private static final ThreadLocal<@Nullable MongoTemplate> SAVING = new ThreadLocal<>();

	/**
	 * Finds where the documents go that are being saved on this thread.
	 * @return the factory of the template's databases, or {@code null} if it cannot be
	 * told
	 */
	static @Nullable MongoDatabaseFactory target() {
		MongoTemplate template = SAVING.get();
		return (template != null) ? template.getMongoDatabaseFactory() : null;
	}

	@Override
	@SuppressWarnings("rawtypes")
	public <T> T callback(Class<? extends EntityCallback> type, T entity, Object... args) {
		if (type != BeforeConvertCallback.class) {
			return this.callbacks.callback(type, entity, args);
		}
		// A callback of the application's may save by another template.
		MongoTemplate outer = SAVING.get();
		SAVING.set(this.template);
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

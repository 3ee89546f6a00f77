package io.github.hilo.internal.data;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * The callbacks of a template, which know that it is the one that saves: Spring Data
 * calls every callback bean for every template, and does not tell which.
 */
public final class TemplateCallbacks implements EntityCallbacks {

	// What is being saved on this thread, bound for the length of the call.
	private static final ThreadLocal<@Nullable Saving> SAVING = new ThreadLocal<>();

	private final EntityCallbacks callbacks;

	private final MongoTemplate template;

	private final StoredForm storedForm;

	// Where the template saves, once it is certain that it cannot change.
	private volatile @Nullable TemplateDatabase database;

	public TemplateCallbacks(EntityCallbacks callbacks, MongoTemplate template) {
		this.callbacks = (callbacks instanceof TemplateCallbacks known) ? known.callbacks : callbacks;
		this.template = template;
		this.storedForm = new StoredForm(template::getConverter);
	}

	/**
	 * Finds the template that saves on this thread, once for each save, or {@code null}
	 * if it cannot be told.
	 * @param collection as the callbacks were given it: a save by another template,
	 * inside a callback, has another one
	 */
	static @Nullable TemplateCallbacks ofThisSave(String collection) {
		Saving saving = SAVING.get();
		return (saving != null && saving.collection().compareAndSet(collection, null)) ? saving.template() : null;
	}

	/**
	 * Finds where the template saves, or {@code null} if it is the default database.
	 */
	@Nullable TemplateDatabase database(TemplateDatabases<MongoDatabaseFactory, TemplateDatabase> databases) {
		TemplateDatabase found = this.database;
		MongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		if (found == null && !databases.isDefault().test(factory)) {
			found = databases.of().apply(factory);
			this.database = databases.fixed().test(factory) ? found : null;
		}
		return found;
	}

	StoredForm storedForm() {
		return this.storedForm;
	}

	@Override
	@SuppressWarnings("rawtypes")
	public <T> T callback(Class<? extends EntityCallback> type, T entity, Object... args) {
		if (type != BeforeConvertCallback.class) {
			return this.callbacks.callback(type, entity, args);
		}
		// A callback of the application's may save by another template.
		Saving outer = SAVING.get();
		String collection = new String((String) args[0]);
		SAVING.set(new Saving(this, new AtomicReference<>(collection)));
		try {
			return this.callbacks.callback(type, entity, collection);
		}
		finally {
			SAVING.remove();
			if (outer != null) {
				SAVING.set(outer);
			}
		}
	}

	@Override
	public void addEntityCallback(EntityCallback<?> callback) {
		this.callbacks.addEntityCallback(callback);
	}

	/**
	 * A save.
	 *
	 * @param template those of the template that saves
	 * @param collection an object that no other save has, until the template was taken
	 */
	private record Saving(TemplateCallbacks template, AtomicReference<@Nullable String> collection) {
	}

}

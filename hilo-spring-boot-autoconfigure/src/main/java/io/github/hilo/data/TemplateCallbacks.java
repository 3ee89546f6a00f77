package io.github.hilo.data;

import java.util.Objects;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.HiLoEngine;
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
 * @hidden
 */
public final class TemplateCallbacks implements EntityCallbacks {

	/**
	 * Those of the template that saves on this thread, bound for the length of the call.
	 */
	private static final ThreadLocal<@Nullable TemplateCallbacks> SAVING = new ThreadLocal<>();

	private final EntityCallbacks callbacks;

	private final MongoTemplate template;

	private final TemplateConverter converter;

	/**
	 * Where the template saves, once it is certain that it cannot change.
	 */
	private volatile @Nullable Destination<HiLoIdGenerator> destination;

	/**
	 * Creates the callbacks.
	 * @param callbacks those that the template had
	 * @param template the template
	 */
	public TemplateCallbacks(EntityCallbacks callbacks, MongoTemplate template) {
		this.callbacks = callbacks;
		this.template = template;
		this.converter = new TemplateConverter(template::getConverter);
	}

	/**
	 * Finds where documents go that are being saved on this thread, or {@code null} if
	 * the template cannot be told.
	 * @param generator that of the default database
	 * @param engine knows the databases, if it issues the ids
	 */
	static @Nullable Destination<HiLoIdGenerator> destination(HiLoIdGenerator generator,
			TemplateDatabases<MongoDatabaseFactory, String> names, @Nullable HiLoEngine engine) {
		TemplateCallbacks saving = SAVING.get();
		if (saving == null) {
			return null;
		}
		Destination<HiLoIdGenerator> known = saving.destination;
		return (known != null) ? known : saving.find(generator, names, engine);
	}

	private Destination<HiLoIdGenerator> find(HiLoIdGenerator generator,
			TemplateDatabases<MongoDatabaseFactory, String> names, @Nullable HiLoEngine engine) {
		MongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		String database = names.nameOf(factory);
		// A mock may answer nothing.
		Destination<HiLoIdGenerator> found = database.isEmpty() ? new Destination<>(generator, null)
				: new Destination<>(Objects.requireNonNullElse(generator.forDatabase(database), generator),
						(engine != null) ? engine.storeOf(database) : null);
		if (names.isFixed(factory)) {
			this.destination = found;
		}
		return found;
	}

	/**
	 * Finds the converter of the template that saves on this thread, or {@code null} if
	 * the template cannot be told.
	 */
	static @Nullable TemplateConverter converter() {
		TemplateCallbacks saving = SAVING.get();
		return (saving != null) ? saving.converter : null;
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

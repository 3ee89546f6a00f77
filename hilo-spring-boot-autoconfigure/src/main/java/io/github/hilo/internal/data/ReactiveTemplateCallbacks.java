package io.github.hilo.internal.data;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.github.hilo.internal.mapping.NumberedProperty;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * The callbacks of a reactive template, which know that it is the one that saves, as
 * {@link TemplateCallbacks} do.
 */
public final class ReactiveTemplateCallbacks implements ReactiveEntityCallbacks {

	private final ReactiveEntityCallbacks callbacks;

	private final ReactiveMongoTemplate template;

	private final StoredForm storedForm;

	// Where the template saves, once it is certain that it cannot change.
	private volatile @Nullable TemplateDatabase database;

	public ReactiveTemplateCallbacks(ReactiveEntityCallbacks callbacks, ReactiveMongoTemplate template) {
		this.callbacks = (callbacks instanceof ReactiveTemplateCallbacks known) ? known.callbacks : callbacks;
		this.template = template;
		this.storedForm = new StoredForm(template::getConverter);
	}

	/**
	 * Finds the template that saves, once for each save, or nothing if it cannot be told.
	 * @param collection as the callbacks were given it: a save by another template,
	 * inside a callback, has another one, but the same context
	 */
	static Mono<ReactiveTemplateCallbacks> ofThisSave(String collection) {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(context.<Saving>getOrEmpty(Saving.class)
			.filter((saving) -> saving.collection().compareAndSet(collection, null))
			.map(Saving::template)));
	}

	/**
	 * Finds where the template saves, or nothing if it is the default database.
	 */
	Mono<TemplateDatabase> database(TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases) {
		TemplateDatabase known = this.database;
		ReactiveMongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		return (known != null) ? Mono.just(known)
				: databases.isDefault().test(factory) ? Mono.empty()
						: databases.of()
							.apply(factory)
							.doOnNext((found) -> this.database = databases.fixed().test(factory) ? found : null);
	}

	MongoConverter converter() {
		return this.storedForm.converter();
	}

	void requireStored(Object entity, List<NumberedProperty> given) {
		this.storedForm.requireStored(entity, given.stream().filter(this.storedForm::mayWrite).toList());
	}

	@Override
	@SuppressWarnings("rawtypes")
	public <T> Mono<T> callback(Class<? extends EntityCallback> type, T entity, Object... args) {
		if (type != ReactiveBeforeConvertCallback.class) {
			return this.callbacks.callback(type, entity, args);
		}
		String collection = new String((String) args[0]);
		return this.callbacks.callback(type, entity, collection)
			.contextWrite((context) -> context.put(Saving.class, new Saving(this, new AtomicReference<>(collection))));
	}

	@Override
	public void addEntityCallback(EntityCallback<?> callback) {
		this.callbacks.addEntityCallback(callback);
	}

	private record Saving(ReactiveTemplateCallbacks template, AtomicReference<@Nullable String> collection) {
	}

}

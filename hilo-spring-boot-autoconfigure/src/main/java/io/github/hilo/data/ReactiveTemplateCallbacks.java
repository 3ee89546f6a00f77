package io.github.hilo.data;

import java.util.Objects;

import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import reactor.core.publisher.Mono;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * The callbacks of a reactive template, which know that it is the one that saves, as
 * {@link TemplateCallbacks} do. Internal.
 * <p>
 * Thread-safe: the generator is published by one volatile write.
 *
 * @hidden
 */
public final class ReactiveTemplateCallbacks implements ReactiveEntityCallbacks {

	private final ReactiveEntityCallbacks callbacks;

	private final ReactiveMongoTemplate template;

	/**
	 * The generator of the template's database, once it is certain that it cannot change.
	 */
	private volatile @Nullable ReactiveHiLoIdGenerator generator;

	/**
	 * Creates the callbacks.
	 * @param callbacks those that the template had
	 * @param template the template
	 */
	public ReactiveTemplateCallbacks(ReactiveEntityCallbacks callbacks, ReactiveMongoTemplate template) {
		this.callbacks = callbacks;
		this.template = template;
	}

	/**
	 * Finds the generator of the database that the document goes to which is being saved.
	 * @param generator that of the default database, which is used where the template
	 * cannot be told
	 */
	static Mono<ReactiveHiLoIdGenerator> generator(ReactiveHiLoIdGenerator generator,
			TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<String>> names) {
		return Mono.deferContextual((context) -> {
			ReactiveTemplateCallbacks saving = context.getOrDefault(ReactiveTemplateCallbacks.class, null);
			ReactiveHiLoIdGenerator known = (saving != null) ? saving.generator : generator;
			return (known != null) ? Mono.just(known) : Objects.requireNonNull(saving).find(generator, names);
		});
	}

	private Mono<ReactiveHiLoIdGenerator> find(ReactiveHiLoIdGenerator generator,
			TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<String>> names) {
		ReactiveMongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		// A mock may answer nothing.
		return names.nameOf(factory)
			.map((database) -> Objects.requireNonNullElse(generator.forDatabase(database), generator))
			.defaultIfEmpty(generator)
			.doOnNext((found) -> this.generator = names.isFixed(factory) ? found : null);
	}

	@Override
	@SuppressWarnings("rawtypes")
	public <T> Mono<T> callback(Class<? extends EntityCallback> type, T entity, Object... args) {
		Mono<T> called = this.callbacks.callback(type, entity, args);
		return (type != ReactiveBeforeConvertCallback.class) ? called
				: called.contextWrite((context) -> context.put(ReactiveTemplateCallbacks.class, this));
	}

	@Override
	public void addEntityCallback(EntityCallback<?> callback) {
		this.callbacks.addEntityCallback(callback);
	}

}

package io.github.hilo.data;

import java.util.Objects;

import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * The callbacks of a reactive template, which know that it is the one that saves, as
 * {@link TemplateCallbacks} do. Internal.
 *
 * @hidden
 */
public final class ReactiveTemplateCallbacks implements ReactiveEntityCallbacks {

	private final ReactiveEntityCallbacks callbacks;

	private final ReactiveMongoTemplate template;

	private final TemplateConverter converter;

	/**
	 * Where the template saves, once it is certain that it cannot change.
	 */
	private volatile @Nullable Destination<ReactiveHiLoIdGenerator> destination;

	/**
	 * Creates the callbacks.
	 * @param callbacks those that the template had
	 * @param template the template
	 */
	public ReactiveTemplateCallbacks(ReactiveEntityCallbacks callbacks, ReactiveMongoTemplate template) {
		this.callbacks = callbacks;
		this.template = template;
		this.converter = new TemplateConverter(template::getConverter);
	}

	/**
	 * Finds where the document goes that is being saved.
	 * @param generator that of the default database, which is used where the template
	 * cannot be told
	 * @param engine knows the databases, if it issues the ids
	 */
	static Mono<Destination<ReactiveHiLoIdGenerator>> destination(ReactiveHiLoIdGenerator generator,
			TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<String>> names, @Nullable HiLoEngine engine) {
		return Mono.deferContextual((context) -> {
			ReactiveTemplateCallbacks saving = context.getOrDefault(ReactiveTemplateCallbacks.class, null);
			if (saving == null) {
				return Mono.just(new Destination<>(generator, null));
			}
			Destination<ReactiveHiLoIdGenerator> known = saving.destination;
			return (known != null) ? Mono.just(known) : saving.find(generator, names, engine);
		});
	}

	private Mono<Destination<ReactiveHiLoIdGenerator>> find(ReactiveHiLoIdGenerator generator,
			TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<String>> names, @Nullable HiLoEngine engine) {
		ReactiveMongoDatabaseFactory factory = this.template.getMongoDatabaseFactory();
		// A mock may answer nothing.
		return names.nameOf(factory)
			.map((database) -> new Destination<>(Objects.requireNonNullElse(generator.forDatabase(database), generator),
					(engine != null) ? engine.storeOf(database) : null))
			.defaultIfEmpty(new Destination<>(generator, null))
			.doOnNext((found) -> this.destination = names.isFixed(factory) ? found : null);
	}

	/**
	 * Finds the converter of the template that saves, or nothing if the template cannot
	 * be told.
	 */
	static Mono<TemplateConverter> converter() {
		return Mono.deferContextual((context) -> Mono
			.justOrEmpty(context.<ReactiveTemplateCallbacks>getOrEmpty(ReactiveTemplateCallbacks.class)
				.map((saving) -> saving.converter)));
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

package io.github.hilo.data;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * The callbacks of a reactive template, which know that it is the one that saves, as
 * {@link TemplateCallbacks} do. Internal.
 *
 * @param callbacks those that the template had
 * @param template the template
 * @hidden
 */
public record ReactiveTemplateCallbacks(ReactiveEntityCallbacks callbacks,
		ReactiveMongoTemplate template) implements ReactiveEntityCallbacks {

	/**
	 * Finds where the document goes that is being saved.
	 * @return the factory of the template's databases, or {@code null} if it cannot be
	 * told
	 */
	static @Nullable ReactiveMongoDatabaseFactory target(ContextView context) {
		ReactiveMongoTemplate template = context.getOrDefault(ReactiveTemplateCallbacks.class, null);
		return (template != null) ? template.getMongoDatabaseFactory() : null;
	}

	@Override
	@SuppressWarnings("rawtypes")
	public <T> Mono<T> callback(Class<? extends EntityCallback> type, T entity, Object... args) {
		return this.callbacks.callback(type, entity, args)
			.contextWrite((context) -> context.put(ReactiveTemplateCallbacks.class, this.template));
	}

	@Override
	public void addEntityCallback(EntityCallback<?> callback) {
		this.callbacks.addEntityCallback(callback);
	}

}

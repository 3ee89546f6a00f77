package io.github.hilo.internal.save;

import org.bson.Document;
import org.reactivestreams.Publisher;

import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeSaveCallback;

/**
 * Does for reactive templates what {@link ExcludingCallback} does for blocking ones.
 *
 * @param whole the callback that assigns ids, too
 */
public record ReactiveExcludingCallback(DefaultReactiveHiLoBeforeConvertCallback whole)
		implements
			ReactiveBeforeSaveCallback<Object>,
			TemplateCallback {

	@Override
	public Publisher<Object> onBeforeSave(Object entity, Document document, String collection) {
		return this.whole.onBeforeSave(entity, document, collection);
	}

	@Override
	public boolean isCoveredBy(TemplateCallback other) {
		return other == this.whole;
	}

	@Override
	public ReactiveExcludingCallback forTemplate(Object template) {
		return new ReactiveExcludingCallback(this.whole.forTemplate(template));
	}

}

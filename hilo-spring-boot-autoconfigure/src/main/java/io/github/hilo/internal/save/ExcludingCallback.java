package io.github.hilo.internal.save;

import org.bson.Document;

import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;

/**
 * Excludes the ids with which documents are about to be stored. It is a bean of its own,
 * so that it stays if the application replaces the callback that assigns ids. It has no
 * order, so it runs last: other callbacks may change the document.
 *
 * @param whole the callback that assigns ids, too
 */
public record ExcludingCallback(
		DefaultHiLoBeforeConvertCallback whole) implements BeforeSaveCallback<Object>, TemplateCallback {

	@Override
	public Object onBeforeSave(Object entity, Document document, String collection) {
		return this.whole.onBeforeSave(entity, document, collection);
	}

	@Override
	public boolean isCoveredBy(TemplateCallback other) {
		return other == this.whole;
	}

	@Override
	public ExcludingCallback forTemplate(Object template) {
		return new ExcludingCallback(this.whole.forTemplate(template));
	}

}

package io.github.hilo.internal.save;

/**
 * A callback bean of which each template gets a copy that has the template, because
 * Spring Data calls every callback bean for every template without saying for which.
 */
public interface TemplateCallback {

	/**
	 * Returns the callback that a template gets instead of this one.
	 */
	Object forTemplate(Object template);

	/**
	 * Returns whether a template that gets another callback bean does not need this one.
	 */
	default boolean isCoveredBy(TemplateCallback other) {
		return false;
	}

}

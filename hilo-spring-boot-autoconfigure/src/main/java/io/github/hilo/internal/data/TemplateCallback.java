package io.github.hilo.internal.data;

/**
 * A callback bean of which each template has a copy that knows the template: Spring Data
 * calls every callback bean for every template, and does not tell which.
 */
public interface TemplateCallback {

	/**
	 * Makes a copy for a template.
	 * @return the copy, or this callback if it does not serve templates of that kind
	 */
	Object of(Object template);

}

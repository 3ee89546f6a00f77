package io.github.hilo.internal.data;

/**
 * A callback bean of which each template gets a copy that has the template, because
 * Spring Data calls every callback bean for every template without saying for which.
 */
public interface TemplateCallback {

	/**
	 * Returns a copy for a template, or this callback if it does not serve templates of
	 * that kind.
	 */
	Object forTemplate(Object template);

}

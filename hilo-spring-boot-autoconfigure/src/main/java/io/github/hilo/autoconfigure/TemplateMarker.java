package io.github.hilo.autoconfigure;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Lets the callbacks of every template know which template they belong to. It comes
 * before all other post-processors, which may need templates themselves, and sees a
 * template before it is proxied.
 *
 * @param <T> the type of templates
 * @param <C> the type of their callbacks
 * @param templates the type of templates
 * @param mark makes callbacks that know their template
 * @param set sets the callbacks of a template
 */
record TemplateMarker<T, C>(Class<T> templates, BiFunction<C, T, C> mark,
		BiConsumer<T, C> set) implements BeanPostProcessor {

	static <T, C> BeanFactoryPostProcessor first(Class<T> templates, BiFunction<C, T, C> mark, BiConsumer<T, C> set) {
		return (beans) -> beans.addBeanPostProcessor(new TemplateMarker<>(templates, mark, set));
	}

	@Override
	@SuppressWarnings("unchecked")
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (this.templates.isInstance(bean)) {
			// Set by the application, or by Spring; a template does not show them.
			C callbacks = (C) new DirectFieldAccessor(bean).getPropertyValue("entityCallbacks");
			if (callbacks != null) {
				this.set.accept((T) bean, this.mark.apply(callbacks, (T) bean));
			}
		}
		return bean;
	}

}

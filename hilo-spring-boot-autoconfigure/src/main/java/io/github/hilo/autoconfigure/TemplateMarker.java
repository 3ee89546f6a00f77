package io.github.hilo.autoconfigure;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets the callbacks of every template know which template they belong to. It comes
 * before all other post-processors, which may need templates themselves, and sees a
 * template before it is proxied. Once all singletons exist it looks again: a template may
 * have been registered as it is, or may have got its callbacks after it was made.
 *
 * @param <T> the type of templates
 * @param <C> the type of their callbacks
 * @param beans where the templates are
 * @param templates the type of templates
 * @param mark makes callbacks that know their template
 * @param set sets the callbacks of a template
 */
record TemplateMarker<T, C>(ConfigurableListableBeanFactory beans, Class<T> templates, BiFunction<C, T, C> mark,
		BiConsumer<T, C> set) implements BeanFactoryPostProcessor, SmartInitializingSingleton {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		beans.addBeanPostProcessor(new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				mark(bean);
				return bean;
			}

		});
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String name : this.beans.getBeanNamesForType(this.templates, false, false)) {
			mark(this.beans.getSingleton(name));
		}
	}

	@SuppressWarnings("unchecked")
	private void mark(@Nullable Object bean) {
		Object target = (bean instanceof Advised) ? AopProxyUtils.getSingletonTarget(bean) : bean;
		if (this.templates.isInstance(target)) {
			// Set by the application, or by Spring; a template does not show them.
			C callbacks = (C) new DirectFieldAccessor(target).getPropertyValue("entityCallbacks");
			if (callbacks != null) {
				this.set.accept((T) target, this.mark.apply(callbacks, (T) target));
			}
		}
	}

}

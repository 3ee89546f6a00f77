package io.github.hilo.autoconfigure;

import java.lang.reflect.Field;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Lets the callbacks of every template know which template they belong to. It comes
 * before all other post-processors, which may need templates themselves, and sees a
 * template before it is proxied. Once all singletons exist it looks again: a template may
 * have been registered as it is, or may have got its callbacks after it was made.
 *
 * @param mark makes callbacks that know their template
 * @param set sets the callbacks of a template
 * @param unreadable whether it was said that callbacks cannot be read
 */
record TemplateMarker<T, C>(ConfigurableListableBeanFactory beans, Class<T> templates, Class<C> callbacks,
		BiFunction<C, T, C> mark, BiConsumer<T, C> set,
		AtomicBoolean unreadable) implements BeanFactoryPostProcessor, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(TemplateMarker.class);

	TemplateMarker(ConfigurableListableBeanFactory beans, Class<T> templates, Class<C> callbacks,
			BiFunction<C, T, C> mark, BiConsumer<T, C> set) {
		this(beans, templates, callbacks, mark, set, new AtomicBoolean());
	}

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

	private void mark(@Nullable Object bean) {
		Object target = (bean instanceof Advised) ? AopProxyUtils.getSingletonTarget(bean) : bean;
		if (this.templates.isInstance(target)) {
			markTemplate(this.templates.cast(target));
		}
	}

	/**
	 * Reads the callbacks that the application has set, or Spring: a template does not
	 * show them. Without them, the template is one that cannot be told.
	 */
	private void markTemplate(T template) {
		try {
			Field field = Objects.requireNonNull(ReflectionUtils.findField(this.templates, null, this.callbacks),
					"There is no such field");
			ReflectionUtils.makeAccessible(field);
			Object callbacks = ReflectionUtils.getField(field, template);
			if (callbacks != null) {
				this.set.accept(template, this.mark.apply(this.callbacks.cast(callbacks), template));
			}
		}
		catch (RuntimeException ex) {
			if (this.unreadable.compareAndSet(false, true)) {
				logger.warn(
						"The callbacks of {} cannot be read, so it cannot be told which template saves. Where there"
								+ " are several databases, saves of documents without an id are refused",
						template.getClass().getName(), ex);
			}
		}
	}

}

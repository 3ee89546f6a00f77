package io.github.hilo.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.stream.Stream;

import io.github.hilo.internal.data.TemplateCallback;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.data.mapping.callback.EntityCallback;

/**
 * Gives each template callbacks that know it. A template takes its callbacks from the
 * first context that it is given, unless the application has set them. So it is given one
 * whose callback beans are copies for this template, before Spring gives it the real one.
 * <p>
 * It comes before all other post-processors, which may need templates themselves, and
 * sees a template before it is proxied.
 *
 * @param templates the class of the templates
 */
record TemplateCallbacks(ApplicationContext context,
		Class<? extends ApplicationContextAware> templates) implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		beans.addBeanPostProcessor(new InstantiationAwareBeanPostProcessor() {

			@Override
			public boolean postProcessAfterInstantiation(Object bean, String name) {
				if (TemplateCallbacks.this.templates.isInstance(bean)) {
					((ApplicationContextAware) bean).setApplicationContext(contextOf(bean));
				}
				return true;
			}

		});
	}

	private ApplicationContext contextOf(Object template) {
		return (ApplicationContext) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ApplicationContext.class }, (proxy, method, arguments) -> {
					Object answer = AopUtils.invokeJoinpointUsingReflection(this.context, method, arguments);
					return (answer instanceof ObjectProvider<?> callbacks && arguments[0] == EntityCallback.class)
							? copies(callbacks, template) : answer;
				});
	}

	private static ObjectProvider<Object> copies(ObjectProvider<?> callbacks, Object template) {
		return new ObjectProvider<>() {

			@Override
			public Stream<Object> stream() {
				return callbacks.stream()
					.map((callback) -> (callback instanceof TemplateCallback ours) ? ours.of(template) : callback);
			}

		};
	}

}

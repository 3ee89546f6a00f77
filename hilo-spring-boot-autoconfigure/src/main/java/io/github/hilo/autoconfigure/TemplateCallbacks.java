package io.github.hilo.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;

import io.github.hilo.internal.save.TemplateCallback;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.data.mapping.callback.EntityCallback;

/**
 * Gives each template its own copies of the callback beans, so that a callback knows its
 * template. A template takes its callbacks from the first context that it is given,
 * unless the application has set callbacks. So this post-processor gives a template a
 * view of the context that returns copies, before Spring gives it the real context.
 * <p>
 * It is registered as a bean factory post-processor, because it must run before all bean
 * post-processors, which may need templates themselves, and before a template is proxied.
 *
 * @param templates the class of the templates
 * @param candidates the callbacks that are candidates for injection. A copy of ours that
 * is none is for a template that the application sets it on, and serves no other.
 */
record TemplateCallbacks(ApplicationContext context, Class<? extends ApplicationContextAware> templates,
		ObjectProvider<EntityCallback<?>> candidates) implements BeanFactoryPostProcessor {

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
					Object result = AopUtils.invokeJoinpointUsingReflection(this.context, method, arguments);
					return (result instanceof ObjectProvider<?> callbacks && arguments[0] == EntityCallback.class)
							? callbacksOf(callbacks, template) : result;
				});
	}

	/**
	 * Returns the callbacks of others, and then copies of ours. A template keeps this
	 * order among callbacks that have the lowest precedence or none.
	 */
	private ObjectProvider<Object> callbacksOf(ObjectProvider<?> callbacks, Object template) {
		return new ObjectProvider<>() {

			@Override
			public Stream<Object> stream() {
				return Stream.concat(callbacks.stream().filter((callback) -> !(callback instanceof TemplateCallback)),
						ours().map((callback) -> callback.forTemplate(template)));
			}

		};
	}

	private Stream<TemplateCallback> ours() {
		List<TemplateCallback> ours = this.candidates.stream()
			.filter(TemplateCallback.class::isInstance)
			.map(TemplateCallback.class::cast)
			.toList();
		return ours.stream().filter((callback) -> ours.stream().noneMatch(callback::isCoveredBy));
	}

}

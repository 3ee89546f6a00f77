package io.github.hilo.autoconfigure;

import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * Finds the factory of the default database when it is first needed: that of the only
 * template, of the primary one, or of the one with Spring Boot's name; or else the
 * primary factory. From then on the engine is destroyed before that factory and its
 * client, so that it can return what is left.
 */
final class DefaultFactory<T, F> implements Supplier<F> {

	private final ConfigurableListableBeanFactory beans;

	private final Class<T> templates;

	private final Function<T, @Nullable F> factoryOf;

	private final Class<F> factories;

	private final Function<F, ? extends @Nullable Object> clientOf;

	private final Supplier<Found<F>> found = new OnceSupplied<>(this::find);

	DefaultFactory(ConfigurableListableBeanFactory beans, Class<T> templates, Function<T, @Nullable F> factoryOf,
			Class<F> factories, Function<F, ? extends @Nullable Object> clientOf) {
		this.beans = beans;
		this.templates = templates;
		this.factoryOf = factoryOf;
		this.factories = factories;
		this.clientOf = clientOf;
	}

	@Override
	public F get() {
		return this.found.get().factory().get();
	}

	/**
	 * Whether it is always the same factory, of a certain kind. Not as long as it cannot
	 * be told: a bean that a template needs may ask.
	 */
	boolean isFixed(Predicate<F> kind) {
		return is((factory) -> !this.found.get().scoped() && kind.test(factory));
	}

	boolean isThere() {
		return is((factory) -> true);
	}

	boolean is(Predicate<F> what) {
		try {
			return what.test(get());
		}
		catch (BeansException ex) {
			return false;
		}
	}

	/**
	 * Whether all templates and factories are of one database. It creates lazy beans, but
	 * none that is no singleton: that one counts as one of another database.
	 * @param fixed whether a factory is always of the same database; if not, it is told
	 * from others by itself
	 * @param name names the database of such a factory
	 */
	boolean isAlone(Predicate<Object> fixed, Function<F, ?> name) {
		Set<Object> all = Stream.of(this.templates, this.factories)
			.flatMap((type) -> Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, type)))
			.map((bean) -> this.beans.isSingleton(bean) ? this.beans.getBean(bean) : bean)
			.map((bean) -> this.templates.isInstance(bean) ? this.factoryOf.apply(this.templates.cast(bean)) : bean)
			.flatMap(Stream::ofNullable)
			.collect(Collectors.toSet());
		return all.size() < 2 || all.stream()
			.map((bean) -> fixed.test(bean) ? name.apply(this.factories.cast(bean)) : bean)
			.distinct()
			.count() < 2;
	}

	private Found<F> find() {
		T template = this.beans.getBeanProvider(this.templates).getIfUnique();
		String usualName = StringUtils.uncapitalize(this.templates.getSimpleName());
		if (template == null && this.beans.containsBean(usualName)
				&& this.beans.isTypeMatch(usualName, this.templates)) {
			template = this.beans.getBean(usualName, this.templates);
		}
		if (AopUtils.isAopProxy(template)) {
			// Each scope may have a template of its own.
			T scoped = template;
			return new Found<>(() -> this.factoryOf.apply(scoped), true);
		}
		F own = (template != null) ? this.factoryOf.apply(template) : null;
		F factory = (own != null) ? own : this.beans.getBeanProvider(this.factories).getIfUnique();
		if (factory == null) {
			throw new NoSuchBeanDefinitionException(this.templates,
					"There is no default database for HiLo ids. Mark one of the beans with @Primary, or name the database"
							+ " with HiLoIdGenerator.forDatabase(…)");
		}
		destroyAfterTheEngine(factory);
		destroyAfterTheEngine(this.clientOf.apply(factory));
		return new Found<>(() -> factory, false);
	}

	private void destroyAfterTheEngine(@Nullable Object bean) {
		if (bean != null) {
			for (String name : this.beans.getBeanNamesForType(bean.getClass(), false, false)) {
				if (this.beans.getSingleton(name) == bean) {
					this.beans.registerDependentBean(name, "hiLoEngine");
				}
			}
		}
	}

	private record Found<F>(Supplier<F> factory, boolean scoped) {
	}

}

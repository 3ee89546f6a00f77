package io.github.hilo.autoconfigure;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.util.StringUtils;

/**
 * Finds the factory of the default database when it is first needed: that of the only
 * template, of the primary one, or of the one with Spring Boot's name; or else the
 * primary factory.
 *
 * @param beans the beans
 * @param templates the type of templates
 * @param factoryOf finds the factory of a template
 * @param factories the type of factories
 */
record DefaultFactory<T, F>(BeanFactory beans, Class<T> templates, Function<T, @Nullable F> factoryOf,
		Class<F> factories) implements Supplier<F> {

	@Override
	public F get() {
		T template = this.beans.getBeanProvider(this.templates).getIfUnique();
		String usualName = StringUtils.uncapitalize(this.templates.getSimpleName());
		if (template == null && this.beans.containsBean(usualName)
				&& this.beans.isTypeMatch(usualName, this.templates)) {
			template = this.beans.getBean(usualName, this.templates);
		}
		F factory = (template != null) ? this.factoryOf.apply(template) : null;
		if (factory == null) {
			factory = this.beans.getBeanProvider(this.factories).getIfUnique();
		}
		if (factory == null) {
			throw new NoUniqueBeanDefinitionException(this.templates, 2,
					"There is no default database for HiLo ids. Mark one of the beans with @Primary, or name the database"
							+ " with HiLoIdGenerator.forDatabase(…)");
		}
		return factory;
	}

	/**
	 * Tests a factory, if it can be told yet: a bean that a template needs may ask.
	 */
	static <F> boolean is(Supplier<F> factory, Predicate<F> what) {
		try {
			return what.test(factory.get());
		}
		catch (BeansException ex) {
			return false;
		}
	}

}

package io.github.hilo.autoconfigure;

import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;

/**
 * Lets beans of a type depend on those of others, so that they, and whatever depends on
 * them, are destroyed before these: a bean may save documents while it is destroyed, and
 * the engine returns what is left.
 */
final class DependsOn extends AbstractDependsOnBeanFactoryPostProcessor {

	DependsOn(Class<?> beanType, Class<?>... types) {
		super(beanType, types);
	}

}

package io.github.hilo.autoconfigure;

import io.github.hilo.engine.HiLoEngine;

import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;

/**
 * Lets beans of a type depend on the engine, so that they, and whatever depends on them,
 * are destroyed before it: a bean may save documents while it is destroyed.
 */
final class DependsOnEngine extends AbstractDependsOnBeanFactoryPostProcessor {

	DependsOnEngine(Class<?> beanType) {
		super(beanType, HiLoEngine.class);
	}

}

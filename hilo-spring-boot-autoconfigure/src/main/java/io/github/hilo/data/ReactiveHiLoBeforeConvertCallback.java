package io.github.hilo.data;

import io.github.hilo.HiLo;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * Assigns an id to an entity without one, and numbers to its properties with
 * {@link HiLo}, before a reactive template or repository saves the entity. It follows the
 * rules of {@link HiLoBeforeConvertCallback} and blocks no thread.
 * <p>
 * The callback runs last, so that ids take precedence that callbacks and listeners of the
 * application set. Code that reads the id belongs in a
 * {@code ReactiveBeforeSaveCallback}.
 * <p>
 * To count in the database of a template that is no bean, set a copy of this callback on
 * the template:
 * {@code template.setEntityCallbacks(ReactiveEntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and the objects that they refer to are
 * thread-safe.
 */
public interface ReactiveHiLoBeforeConvertCallback extends ReactiveBeforeConvertCallback<Object>, Ordered {

	/**
	 * Returns a copy of this callback that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the copy
	 */
	ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator);

	/**
	 * Returns the lowest precedence, for the reasons of
	 * {@link HiLoBeforeConvertCallback#getOrder()}.
	 * @return the order
	 */
	@Override
	default int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}

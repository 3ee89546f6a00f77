package io.github.hilo.data;

import io.github.hilo.HiLo;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * Gives an entity without an id one, and its properties with {@link HiLo} their numbers,
 * before it is saved by a reactive template or repository, exactly as
 * {@link HiLoBeforeConvertCallback} does for blocking ones, and without blocking a
 * thread.
 * <p>
 * Runs last, so that an id wins that the application's callbacks and listeners set. Code
 * that reads the id belongs in a {@code ReactiveBeforeSaveCallback}.
 * <p>
 * Before a document is sent, its ids and numbers are left out of what this process issues
 * in that database from then on, because the application may have chosen them.
 * <p>
 * Ids are counted in the database of the template that saves. Where that cannot be told,
 * because the template is no bean or the application has set the callbacks of the context
 * on it, it is the default database, unless there are templates or factories of several:
 * then the save is refused. So that such a template counts in its own database, set a
 * copy on it:
 * {@code template.setEntityCallbacks(ReactiveEntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 */
public interface ReactiveHiLoBeforeConvertCallback extends ReactiveBeforeConvertCallback<Object>, Ordered {

	/**
	 * Makes a callback like this one that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator);

	/**
	 * Returns the lowest precedence. Auditing must come first, because it takes an entity
	 * with an id for an old one. So must the application's own callbacks, which have this
	 * order unless they name another: with equal order, beans of the application come
	 * before those of auto-configurations.
	 * @return the order
	 */
	@Override
	default int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}

package io.github.hilo.data;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * Gives an entity without an id one before it is saved: a document id where the id is a
 * {@code String}, a number where it is a {@code long} or {@code int}, and either where it
 * is a type of the application's own that is converted to one of these and back.
 * Properties with {@link HiLo} get theirs in the same way. A primitive 0 counts as not
 * set; any other id that is set is never changed; ids of any other type, and what is no
 * entity, are left alone.
 * <p>
 * Runs last, so that an id wins that the application's callbacks and listeners set. Code
 * that reads the id belongs in a {@code BeforeSaveCallback}.
 * <p>
 * Before a document is sent, its ids and numbers are left out of what this process issues
 * in that database from then on, because the application may have chosen them.
 * <p>
 * Ids are counted in the database of the template that saves. Where that cannot be told,
 * because the template is no bean or the application has set the callbacks of the context
 * on it, it is the default database, unless there are templates or factories of several:
 * then the save is refused. So that such a template counts in its own database, set a
 * copy on it:
 * {@code template.setEntityCallbacks(EntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 */
public interface HiLoBeforeConvertCallback extends BeforeConvertCallback<Object>, Ordered {

	/**
	 * Makes a callback like this one that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator);

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

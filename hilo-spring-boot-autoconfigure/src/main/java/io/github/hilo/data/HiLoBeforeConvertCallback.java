package io.github.hilo.data;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * Assigns an id to an entity without one before it is saved: a document id if the id is a
 * {@code String}, a number if the id is a {@code long} or {@code int}, and either of them
 * if the id has a type of the application's own that is converted to one of these and
 * back. Properties with {@link HiLo} get their values in the same way. A primitive 0
 * counts as not set. Ids that are set never change. Ids of other types, and objects that
 * are no entities, are left alone.
 * <p>
 * The callback runs last, so that ids take precedence that callbacks and listeners of the
 * application set. Code that reads the id belongs in a {@code BeforeSaveCallback}.
 * <p>
 * The application may have chosen an id or a number of a document. So before a document
 * is sent, this process stops issuing the document's numbers in that database.
 * <p>
 * Ids are counted in the database of the template that saves. If the template is no bean,
 * or the application has set the callbacks of the context on it, its database is not
 * known. Then ids are counted in the default database, or the save is refused if there
 * are templates or factories of several databases. To count in the template's own
 * database, set a copy of this callback on the template:
 * {@code template.setEntityCallbacks(EntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and the objects that they refer to are
 * thread-safe.
 */
public interface HiLoBeforeConvertCallback extends BeforeConvertCallback<Object>, Ordered {

	/**
	 * Returns a copy of this callback that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the copy
	 */
	HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator);

	/**
	 * Returns the lowest precedence. Auditing must come first, because it takes an entity
	 * with an id for an old one. Other callbacks must come first, too. A template that is
	 * a bean calls all of them first, even those that have the lowest precedence or none.
	 * @return the order
	 */
	@Override
	default int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}

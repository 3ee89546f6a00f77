package io.github.hilo.data;

import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.LatchWait;
import io.github.hilo.engine.OneDatabase;
import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

/**
 * Gives an entity without an id one before it is saved: a document id where the id is a
 * {@code String}, a number where it is a {@code long} or {@code int}. Properties with
 * {@link HiLo} get theirs in the same way. A primitive 0 counts as not set; any other id
 * that is set is never changed; ids of any other type, and what is no entity, are left
 * alone.
 * <p>
 * Runs last, so that an id wins that the application's callbacks and listeners set. Code
 * that reads the id belongs in a {@code BeforeSaveCallback}.
 * <p>
 * Ids are counted in the database of the template that saves. One that is no bean uses
 * the default database; so that it counts in its own, set a copy on it:
 * {@code template.setEntityCallbacks(EntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 */
public final class HiLoBeforeConvertCallback implements BeforeConvertCallback<Object>, Ordered {

	private final Supplier<HiLoIdGenerator> generator;

	private final IdAssignment assignment;

	private final @Nullable TemplateDatabases<MongoDatabaseFactory, String> databases;

	/**
	 * Creates a callback.
	 * @param generator supplies the generator when it is first needed: it may depend on
	 * beans that look for callbacks themselves
	 * @param assignment tells what an entity lacks
	 * @param databases names the databases that templates save to, or {@code null} if all
	 * ids are the generator's
	 */
	public HiLoBeforeConvertCallback(Supplier<HiLoIdGenerator> generator, IdAssignment assignment,
			@Nullable TemplateDatabases<MongoDatabaseFactory, String> databases) {
		this.generator = generator;
		this.assignment = assignment;
		this.databases = databases;
	}

	/**
	 * Makes a callback like this one that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
		return new HiLoBeforeConvertCallback(() -> generator, this.assignment, null);
	}

	@Override
	public Object onBeforeConvert(Object entity, String collection) {
		Object assigned = entity;
		for (AssignableProperty property : this.assignment.propertiesOf(entity)) {
			MissingValue missing = this.assignment.missing(assigned, property, collection);
			if (missing != null) {
				assigned = assign(missing);
			}
		}
		return assigned;
	}

	private Object assign(MissingValue missing) {
		HiLoIdGenerator generator = generator();
		if (missing.isLate()) {
			LatchWait.await(missing.announce((generator instanceof OneDatabase own) ? own.database() : null),
					"Interrupted while the ranges of sequence " + Names.quoted(missing.sequence())
							+ " were being returned");
		}
		return missing.assign(missing.isNumeric() ? (Object) generator.nextId(missing.sequence())
				: generator.nextDocumentId(missing.sequence()));
	}

	private HiLoIdGenerator generator() {
		HiLoIdGenerator generator = this.generator.get();
		return (this.databases != null) ? TemplateCallbacks.generator(generator, this.databases) : generator;
	}

	/**
	 * Returns the lowest precedence. Auditing must come first, because it takes an entity
	 * with an id for an old one. So must the application's own callbacks, which have this
	 * order unless they name another: with equal order, beans of the application come
	 * before those of auto-configurations.
	 * @return the order
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}

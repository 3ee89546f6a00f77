package io.github.hilo.internal.data;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Finds the databases that templates save to.
 *
 * @param <D> a {@link TemplateDatabase}, or what resolves it for each subscriber
 * @param isDefault whether a factory is that of the default database
 * @param of finds the database that another factory resolves now
 * @param fixed whether a factory always resolves the same database
 * @param one whether all templates and factories are of one database
 */
public record TemplateDatabases<F, D>(Predicate<F> isDefault, Function<F, D> of, Predicate<F> fixed,
		BooleanSupplier one) {

	/**
	 * Whether it can be told to which database a template saves.
	 * @param factory the template's, or {@code null} if no template is known
	 */
	boolean isTold(@Nullable F factory) {
		return factory != null || this.one.getAsBoolean();
	}

	/**
	 * Refuses a save whose database cannot be told.
	 * @throws IllegalStateException if it cannot be told
	 */
	void requireTold(@Nullable F factory, MissingValue missing) {
		Assert.state(isTold(factory), () -> "It cannot be told which template saves to " + missing.place().describe()
				+ ", and there are several databases, so the counter of sequence " + Names.quoted(missing.sequence())
				+ " could be in another one. Make the template a bean, and leave out setApplicationContext and"
				+ " setEntityCallbacks(EntityCallbacks.create(context)): Spring calls them."
				+ " Or set callback.withGenerator(generator.forDatabase(\"…\")) on it.");
	}

	/**
	 * Finds where a template saves, or {@code null} if that is the default database.
	 */
	@Nullable D elsewhere(@Nullable F factory) {
		return (factory == null || this.isDefault.test(factory)) ? null : this.of.apply(factory);
	}

}

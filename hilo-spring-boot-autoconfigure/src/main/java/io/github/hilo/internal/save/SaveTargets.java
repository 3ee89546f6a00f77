package io.github.hilo.internal.save;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Finds the databases to which templates save.
 *
 * @param <D> a {@link SaveTarget}, or what resolves it for each subscriber
 * @param isDefault whether a factory is that of the default database
 * @param of returns the database that another factory resolves now
 * @param fixed whether a factory always resolves the same database
 * @param one returns whether all templates and factories are of one database
 */
public record SaveTargets<F, D>(Predicate<F> isDefault, Function<F, D> of, Predicate<F> fixed, BooleanSupplier one) {

	/**
	 * Returns whether it is known to which database a template saves.
	 * @param factory the template's, or {@code null} if no template is known
	 */
	boolean isKnown(@Nullable F factory) {
		return factory != null || this.one.getAsBoolean();
	}

	/**
	 * Refuses a save if it is not known to which database the template saves.
	 */
	void requireKnown(@Nullable F factory, MissingValue missing) {
		Assert.state(isKnown(factory), () -> "It cannot be told which template saves to " + missing.place().describe()
				+ ", and there are several databases, so the counter of sequence " + Names.quoted(missing.sequence())
				+ " could be in another one. Make the template a bean, and leave out setApplicationContext and"
				+ " setEntityCallbacks(EntityCallbacks.create(context)): Spring calls them."
				+ " Or set callback.withGenerator(generator.forDatabase(\"…\")) on it.");
	}

	/**
	 * Returns the database to which a template saves, or {@code null} if it is the
	 * default one.
	 */
	@Nullable D elsewhere(@Nullable F factory) {
		return (factory == null || this.isDefault.test(factory)) ? null : this.of.apply(factory);
	}

}

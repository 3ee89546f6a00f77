package io.github.hilo.internal.data;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.text.Names;

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
	 * Takes the default database for a template that cannot be told.
	 * @throws IllegalStateException if it may save to another one
	 */
	void requireOne(MissingValue missing) {
		Assert.state(this.one.getAsBoolean(), () -> "It cannot be told which template saves to "
				+ missing.place().describe() + ", and there are several databases, so the counter of sequence "
				+ Names.quoted(missing.sequence()) + " could be in another one. Make the template a bean that has its"
				+ " callbacks before the start, or set callback.withGenerator(generator.forDatabase(\"…\")) on it.");
	}

}

package io.github.hilo.internal.save;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Finds the databases to which the templates of one driver save.
 *
 * @param <T> a template
 * @param <F> a factory
 * @param <G> a generator
 * @param <R> a {@link SavedTo}, or what resolves it for each subscriber
 */
public interface TemplateDatabases<T, F, G, R> {

	@Nullable F factoryOf(T template);

	boolean isDefault(F factory);

	/**
	 * Returns whether all templates and factories are of one database.
	 */
	boolean areOneDatabase();

	R ofDefault();

	/**
	 * Returns what resolves the database of a factory that is not the default one.
	 */
	Supplier<R> of(F factory);

	SaveDatabase<T, G, R> ofGenerator(G generator);

	/**
	 * Returns the database of templates that are not known.
	 */
	default SaveDatabase<T, G, R> ofUnknownTemplate() {
		return new UnknownTemplateDatabase<>(this);
	}

}

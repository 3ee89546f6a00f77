package io.github.hilo.internal.save;

/**
 * Leads the saves of a template to their database. Thread-safe.
 *
 * @param <T> a template
 * @param <G> a generator
 * @param <R> a {@link SavedTo}, or what resolves it for each subscriber
 */
public interface SaveDatabase<T, G, R> {

	/**
	 * Returns whether it is known to which database the template saves. If not,
	 * {@link #resolve} leads to the default database, where the saves may not go.
	 */
	boolean isKnown();

	/**
	 * Resolves the database. Call this on the thread of the save.
	 */
	R resolve();

	/**
	 * Returns the database of another template, unless a generator decides.
	 */
	SaveDatabase<T, G, R> forTemplate(T template);

	/**
	 * Returns the database of a generator, from which all ids are to come.
	 */
	SaveDatabase<T, G, R> forGenerator(G generator);

}

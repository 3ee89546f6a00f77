package io.github.hilo.internal.save;

import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * The database to which a document is saved, and who issues its ids.
 *
 * @param <G> a generator
 */
public sealed interface SavedTo<G> {

	/**
	 * Returns the database's store, or {@code null} if only a generator of the
	 * application knows the database.
	 */
	@Nullable RangeStore store();

	/**
	 * The engine issues the ids.
	 */
	record Counted<G>(RangeStore store) implements SavedTo<G> {
	}

	/**
	 * A generator of the application issues the ids. It may decorate ours.
	 */
	record Asked<G>(G generator, @Nullable RangeStore store) implements SavedTo<G> {
	}

}

package io.github.hilo.data;

import io.github.hilo.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * Where a template saves.
 *
 * @param <G> the type of generators
 * @param generator what issues the ids of that database
 * @param store that database, or {@code null} for the default one, which each save
 * resolves
 */
record Destination<G>(G generator, @Nullable RangeStore store) {
}

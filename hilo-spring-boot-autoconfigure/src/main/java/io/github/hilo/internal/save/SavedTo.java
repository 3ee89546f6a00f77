package io.github.hilo.internal.save;

import java.util.function.Supplier;

import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * The database to which a document is saved.
 *
 * @param <G> a generator
 * @param store the database's store, or {@code null} if only a generator of the
 * application knows the database
 * @param generator finds the generator of ids there; not called unless one is missing
 */
public record SavedTo<G>(@Nullable RangeStore store, Supplier<G> generator) {
}

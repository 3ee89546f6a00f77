package io.github.hilo.internal.save;

import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * The database to which a template saves now.
 *
 * @param name the database's name, or {@code null} for the generator's own database
 * @param store the database's store, or {@code null} if only a generator of the
 * application counts there
 */
public record SaveTarget(@Nullable String name, @Nullable RangeStore store) {

	public SaveTarget(RangeStore store) {
		this(store.database(), store);
	}

}

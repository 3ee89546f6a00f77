package io.github.hilo.internal.data;

import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * The database to which a template saves now.
 *
 * @param store the database's store, or {@code null} if only a generator of the
 * application counts there
 */
public record TemplateDatabase(String name, @Nullable RangeStore store) {

	public TemplateDatabase(RangeStore store) {
		this(store.database(), store);
	}

}

package io.github.hilo.internal.data;

import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * The database that a template saves to now.
 *
 * @param store counts there, or {@code null} if only a generator of the application's
 * knows what does
 */
public record TemplateDatabase(String name, @Nullable RangeStore store) {

	public TemplateDatabase(RangeStore store) {
		this(store.database(), store);
	}

}

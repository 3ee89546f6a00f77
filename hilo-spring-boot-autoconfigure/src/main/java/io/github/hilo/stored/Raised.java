package io.github.hilo.stored;

import org.jspecify.annotations.Nullable;

/**
 * What became of a counter that was raised. Internal.
 *
 * @param before where it stood, or {@code null} if it was created
 * @param after where it stands
 * @hidden
 */
public record Raised(@Nullable Long before, long after) {
}

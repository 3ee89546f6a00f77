/**
 * Reads the mapping metadata: which properties of a type get ids and numbers, from which
 * sequences, where their values are stored, and what is refused. The package {@code data}
 * acts on the results at a save.
 */
@NullMarked
package io.github.hilo.internal.mapping;

import org.jspecify.annotations.NullMarked;

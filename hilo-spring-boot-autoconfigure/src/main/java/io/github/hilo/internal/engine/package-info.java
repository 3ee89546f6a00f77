/**
 * All sequences and their life, and the generators that callers use, blocking and
 * reactive. Knows the API and the port only.
 */
@NullMarked
package io.github.hilo.internal.engine;

import org.jspecify.annotations.NullMarked;

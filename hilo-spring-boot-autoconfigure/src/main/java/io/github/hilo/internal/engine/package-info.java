/**
 * The sequences of all databases with their life, and the generators that callers use,
 * blocking and reactive.
 */
@NullMarked
package io.github.hilo.internal.engine;

import org.jspecify.annotations.NullMarked;

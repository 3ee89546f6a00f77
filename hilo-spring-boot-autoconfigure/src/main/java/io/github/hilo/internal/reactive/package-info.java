/**
 * The view on the engine for reactive callers.
 */
@NullMarked
package io.github.hilo.internal.reactive;

import org.jspecify.annotations.NullMarked;

/**
 * Ids for reactive callers.
 */
@NullMarked
package io.github.hilo.reactive;

import org.jspecify.annotations.NullMarked;

/**
 * Ids for reactive callers: a view on the generator that never blocks.
 */
@NullMarked
package io.github.hilo.reactive;

import org.jspecify.annotations.NullMarked;

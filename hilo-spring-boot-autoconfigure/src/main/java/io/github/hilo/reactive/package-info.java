/**
 * The reactive generator, which uses the ranges of the blocking one and blocks no thread.
 */
@NullMarked
package io.github.hilo.reactive;

import org.jspecify.annotations.NullMarked;

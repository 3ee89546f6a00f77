/**
 * Meters and observations of the sequences. The registry reads counts from the ranges
 * when it needs them, so issuing a number from memory calls nothing in this package.
 */
@NullMarked
package io.github.hilo.internal.metrics;

import org.jspecify.annotations.NullMarked;

/**
 * Meters and observations of the sequences. Counts are read off the ranges when the
 * registry asks: a number that is found in memory calls nothing here.
 */
@NullMarked
package io.github.hilo.internal.metrics;

import org.jspecify.annotations.NullMarked;

/**
 * Meters and observations of the sequences. Nothing here is called where a number is
 * found in memory: counts are read off the ranges when the registry asks.
 */
@NullMarked
package io.github.hilo.internal.metrics;

import org.jspecify.annotations.NullMarked;

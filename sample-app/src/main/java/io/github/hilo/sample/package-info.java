/**
 * Starts the shop with its demonstration.
 */
@NullMarked
package io.github.hilo.sample;

import org.jspecify.annotations.NullMarked;

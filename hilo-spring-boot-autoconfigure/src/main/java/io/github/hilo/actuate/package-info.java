/**
 * What operators see of the sequences.
 */
@NullMarked
package io.github.hilo.actuate;

import org.jspecify.annotations.NullMarked;

/**
 * What operators see of the sequences.
 */
@NullMarked
package io.github.hilo.internal.actuate;

import org.jspecify.annotations.NullMarked;

/**
 * Logs the events of sequences.
 */
@NullMarked
package io.github.hilo.internal.log;

import org.jspecify.annotations.NullMarked;

/**
 * What is logged of the sequences.
 */
@NullMarked
package io.github.hilo.internal.log;

import org.jspecify.annotations.NullMarked;

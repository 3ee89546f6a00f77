/**
 * What is logged of the sequences.
 */
@NullMarked
package io.github.hilo.log;

import org.jspecify.annotations.NullMarked;

/**
 * How names, ids and durations are written, in the database and in messages.
 */
@NullMarked
package io.github.hilo.internal.text;

import org.jspecify.annotations.NullMarked;

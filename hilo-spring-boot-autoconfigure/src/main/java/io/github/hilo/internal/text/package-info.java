/**
 * The form of names, ids and durations in the database and in messages.
 */
@NullMarked
package io.github.hilo.internal.text;

import org.jspecify.annotations.NullMarked;

/**
 * Ids for Spring Data MongoDB entities: which sequence a type counts in, and the callback
 * that gives a document its id before it is saved.
 */
@NullMarked
package io.github.hilo.data;

import org.jspecify.annotations.NullMarked;

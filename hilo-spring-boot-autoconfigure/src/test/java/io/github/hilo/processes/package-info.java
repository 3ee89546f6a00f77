/**
 * Processes that insert into one collection, and how they end.
 */
@NullMarked
package io.github.hilo.processes;

import org.jspecify.annotations.NullMarked;

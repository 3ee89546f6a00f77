/**
 * What the metadata of types says of ids and numbers: which properties get them, from
 * which sequence, where they are stored, and what is refused. It judges; what happens at
 * a save is in {@code data}.
 */
@NullMarked
package io.github.hilo.internal.mapping;

import org.jspecify.annotations.NullMarked;

/**
 * Commands to MongoDB over either driver: how they are sent, within which time, and what
 * their failures mean. Knows no counter.
 */
@NullMarked
package io.github.hilo.internal.mongodb;

import org.jspecify.annotations.NullMarked;

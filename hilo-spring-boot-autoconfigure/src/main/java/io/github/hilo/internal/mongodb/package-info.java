/**
 * Commands to MongoDB over either driver: how they wait for each other, are sent, and
 * within which time, and what their failures mean.
 */
@NullMarked
package io.github.hilo.internal.mongodb;

import org.jspecify.annotations.NullMarked;

/**
 * The port: what the engine asks of a database, and what it is answered. Knows the API
 * and texts only.
 */
@NullMarked
package io.github.hilo.internal.store;

import org.jspecify.annotations.NullMarked;

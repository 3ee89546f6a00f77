/**
 * The port between the engine and a database: the requests, and their results. It uses
 * only the API and {@code internal.text}.
 */
@NullMarked
package io.github.hilo.internal.store;

import org.jspecify.annotations.NullMarked;

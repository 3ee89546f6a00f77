/**
 * A MongoDB stand-in in this process, for where there is no MongoDB.
 */
@NullMarked
package io.github.hilo.sample.embedded;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the embedded server.
 */
@NullMarked
package io.github.hilo.sample.embedded;

import org.jspecify.annotations.NullMarked;

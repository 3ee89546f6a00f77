/**
 * Tests of what is there for tests.
 */
@NullMarked
package io.github.hilo.test;

import org.jspecify.annotations.NullMarked;

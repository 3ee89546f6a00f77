/**
 * A generator for tests of applications. Nothing here belongs in production.
 */
@NullMarked
package io.github.hilo.test;

import org.jspecify.annotations.NullMarked;

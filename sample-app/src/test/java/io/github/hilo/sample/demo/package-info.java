/**
 * Tests of the shop and its demonstration.
 */
@NullMarked
package io.github.hilo.sample.demo;

import org.jspecify.annotations.NullMarked;

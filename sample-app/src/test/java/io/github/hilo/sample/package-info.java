/**
 * Tests of the shop.
 */
@NullMarked
package io.github.hilo.sample;

import org.jspecify.annotations.NullMarked;

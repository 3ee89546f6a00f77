/**
 * Tests of the shop.
 */
@NullMarked
package io.github.hilo.sample.shop;

import org.jspecify.annotations.NullMarked;

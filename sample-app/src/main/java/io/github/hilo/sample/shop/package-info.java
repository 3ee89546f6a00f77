/**
 * A shop as you would write it: nothing else is needed for HiLo ids.
 */
@NullMarked
package io.github.hilo.sample.shop;

import org.jspecify.annotations.NullMarked;

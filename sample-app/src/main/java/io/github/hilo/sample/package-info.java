/**
 * A small shop whose orders and invoices get HiLo ids.
 */
@NullMarked
package io.github.hilo.sample;

import org.jspecify.annotations.NullMarked;

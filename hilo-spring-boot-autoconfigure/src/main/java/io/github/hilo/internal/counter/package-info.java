/**
 * The counter document and its protocol: which commands reserve, return and raise. Knows
 * the driver, but neither Spring Data nor Spring Boot.
 */
@NullMarked
package io.github.hilo.internal.counter;

import org.jspecify.annotations.NullMarked;

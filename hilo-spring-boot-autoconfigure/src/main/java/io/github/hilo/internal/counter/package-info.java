/**
 * The counter document and its protocol: the commands that reserve, return and raise. It
 * uses the driver, but neither Spring Data nor Spring Boot.
 */
@NullMarked
package io.github.hilo.internal.counter;

import org.jspecify.annotations.NullMarked;

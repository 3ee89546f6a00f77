/**
 * The actuator endpoint and the health indicator.
 */
@NullMarked
package io.github.hilo.internal.actuate;

import org.jspecify.annotations.NullMarked;

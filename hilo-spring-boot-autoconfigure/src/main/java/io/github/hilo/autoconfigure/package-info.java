/**
 * Auto-configuration: the properties, the beans, and when they start and stop.
 */
@NullMarked
package io.github.hilo.autoconfigure;

import org.jspecify.annotations.NullMarked;

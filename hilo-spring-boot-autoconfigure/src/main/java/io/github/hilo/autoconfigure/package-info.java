/**
 * Auto-configuration: the properties, the conditions, the beans and their life cycle.
 */
@NullMarked
package io.github.hilo.autoconfigure;

import org.jspecify.annotations.NullMarked;

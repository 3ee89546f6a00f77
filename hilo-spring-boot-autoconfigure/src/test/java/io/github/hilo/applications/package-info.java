/**
 * Small applications as users write them, each with what the starter does there.
 */
@NullMarked
package io.github.hilo.applications;

import org.jspecify.annotations.NullMarked;

/**
 * The API for applications: the generator and its handles, the annotation, the naming
 * strategy and the exceptions.
 */
@NullMarked
package io.github.hilo;

import org.jspecify.annotations.NullMarked;

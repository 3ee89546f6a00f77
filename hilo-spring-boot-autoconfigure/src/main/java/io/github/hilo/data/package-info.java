/**
 * The callbacks that assign ids and numbers to documents before they are saved.
 */
@NullMarked
package io.github.hilo.data;

import org.jspecify.annotations.NullMarked;

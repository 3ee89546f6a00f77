/**
 * The callbacks that give documents their ids and numbers before they are saved.
 */
@NullMarked
package io.github.hilo.data;

import org.jspecify.annotations.NullMarked;

/**
 * What happens at a save: the callbacks that give documents their ids and numbers in the
 * database of the template that saves.
 */
@NullMarked
package io.github.hilo.data;

import org.jspecify.annotations.NullMarked;

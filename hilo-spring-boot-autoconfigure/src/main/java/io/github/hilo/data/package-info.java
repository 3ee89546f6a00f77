/**
 * What happens at a save: the callbacks that give documents their ids and numbers in the
 * database of the template that saves. And the resync, which raises counters to what is
 * stored.
 */
@NullMarked
package io.github.hilo.data;

import org.jspecify.annotations.NullMarked;

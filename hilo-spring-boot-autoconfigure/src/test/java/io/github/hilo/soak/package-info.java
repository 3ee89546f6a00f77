/**
 * Ids for a long time, while things go wrong.
 */
@NullMarked
package io.github.hilo.soak;

import org.jspecify.annotations.NullMarked;

/**
 * What an id costs, next to what it is compared with.
 */
@NullMarked
package io.github.hilo.benchmarks;

import org.jspecify.annotations.NullMarked;

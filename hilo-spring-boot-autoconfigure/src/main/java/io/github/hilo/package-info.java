/**
 * Numbers and document ids from ranges reserved in a shared counter: what users touch,
 * and the core behind it. The core knows neither MongoDB nor Spring Data: ranges come
 * through {@link io.github.hilo.RangeStore}, type names through
 * {@link io.github.hilo.EntitySequenceNames}.
 */
@NullMarked
package io.github.hilo;

import org.jspecify.annotations.NullMarked;

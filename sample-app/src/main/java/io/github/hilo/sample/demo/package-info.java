/**
 * The demonstration: the page, what it asks, a second process, and limits.
 */
@NullMarked
package io.github.hilo.sample.demo;

import org.jspecify.annotations.NullMarked;

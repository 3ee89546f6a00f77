/**
 * An application, and tests as its developers write them.
 */
@NullMarked
package io.github.hilo.shop;

import org.jspecify.annotations.NullMarked;

/**
 * Everything that decides who gets which number, and when. Knows the API and the port
 * only.
 */
@NullMarked
package io.github.hilo.internal.engine;

import org.jspecify.annotations.NullMarked;

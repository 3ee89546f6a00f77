/**
 * For tests of applications that use HiLo ids. Nothing here belongs in production.
 */
@NullMarked
package io.github.hilo.test;

import org.jspecify.annotations.NullMarked;

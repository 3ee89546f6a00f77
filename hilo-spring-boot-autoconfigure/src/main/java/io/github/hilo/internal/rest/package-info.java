/**
 * Ids in the URLs of Spring Data REST.
 */
@NullMarked
package io.github.hilo.internal.rest;

import org.jspecify.annotations.NullMarked;

/**
 * Ids in the URLs of Spring Data REST.
 *
 * @hidden
 */
@NullMarked
package io.github.hilo.rest;

import org.jspecify.annotations.NullMarked;

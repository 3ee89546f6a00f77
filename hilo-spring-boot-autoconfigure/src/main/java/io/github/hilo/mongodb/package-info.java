/**
 * The counters in MongoDB: what the documents look like and which commands reserve and
 * return ranges. Knows the driver, but neither Spring Data nor Spring Boot.
 */
@NullMarked
package io.github.hilo.mongodb;

import org.jspecify.annotations.NullMarked;

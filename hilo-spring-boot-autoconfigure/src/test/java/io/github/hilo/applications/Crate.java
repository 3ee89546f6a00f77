package io.github.hilo.applications;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A document whose id is a number.
 */
@Document("crates")
record Crate(@Id @Nullable Long id) {

}

package io.github.hilo.shop;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;

@Document("orders")
record Order(@Nullable String id, String customer) {
}

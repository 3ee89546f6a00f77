package io.github.hilo.shop;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;

@Document("items")
record LineItem(@Nullable String id, String article) {
}

package io.github.hilo.shop;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

@Document("invoices")
record Invoice(@Id @Nullable Long number, String customer) {
}

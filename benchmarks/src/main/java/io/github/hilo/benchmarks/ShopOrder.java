package io.github.hilo.benchmarks;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A small document, as a shop would store it.
 */
@Document("orders")
final class ShopOrder {

	@Id
	@Nullable String id;

	String customer;

	String article;

	int quantity;

	double price;

	Instant placedAt;

	ShopOrder(String customer, String article, int quantity, double price, Instant placedAt) {
		this.customer = customer;
		this.article = article;
		this.quantity = quantity;
		this.price = price;
		this.placedAt = placedAt;
	}

}

package io.github.hilo.sample.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.hilo.sample.shop.Order;

import org.springframework.data.mongodb.core.mapping.event.AbstractMongoEventListener;
import org.springframework.data.mongodb.core.mapping.event.AfterSaveEvent;
import org.springframework.stereotype.Component;

/**
 * Remembers the newest orders that this process has stored, the newest first. The
 * embedded server has no index to sort by: it would read and sort every order.
 */
@Component
class NewestOrders extends AbstractMongoEventListener<Order> {

	static final int COUNT = 20;

	private final Deque<Order> orders = new ArrayDeque<>();

	@Override
	public synchronized void onAfterSave(AfterSaveEvent<Order> event) {
		this.orders.addFirst(event.getSource());
		if (this.orders.size() > COUNT) {
			this.orders.removeLast();
		}
	}

	synchronized List<Order> find() {
		return List.copyOf(this.orders);
	}

}

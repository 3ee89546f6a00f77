package io.github.hilo.shop;

import io.github.hilo.HiLoIdGenerator;

import org.springframework.stereotype.Service;

@Service
class OrderService {

	private final HiLoIdGenerator ids;

	OrderService(HiLoIdGenerator ids) {
		this.ids = ids;
	}

	Order draft(String customer) {
		return new Order(this.ids.nextDocumentId(Order.class), customer);
	}

}

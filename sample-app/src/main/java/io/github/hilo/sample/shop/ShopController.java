package io.github.hilo.sample.shop;

import java.time.Instant;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the shop offers. Nothing in it asks for an id.
 */
@RestController
class ShopController {

	private final OrderRepository orders;

	private final InvoiceRepository invoices;

	private final CustomerRepository customers;

	ShopController(OrderRepository orders, InvoiceRepository invoices, CustomerRepository customers) {
		this.orders = orders;
		this.invoices = invoices;
		this.customers = customers;
	}

	@PostMapping("/orders")
	@ResponseStatus(HttpStatus.CREATED)
	Order placeOrder() {
		return this.orders.save(new Order(null, Instant.now()));
	}

	/** The id takes the rest of the path, because it contains a slash. */
	@GetMapping("/orders/{*path}")
	ResponseEntity<Order> findOrder(@PathVariable String path) {
		return ResponseEntity.of(this.orders.findById(path.replaceFirst("^/", "")));
	}

	@PostMapping("/invoices")
	@ResponseStatus(HttpStatus.CREATED)
	Invoice issueInvoice() {
		return this.invoices.save(new Invoice(0, Instant.now()));
	}

	@PostMapping("/customers")
	@ResponseStatus(HttpStatus.CREATED)
	Customer addCustomer() {
		return this.customers.save(new Customer(null, null, Instant.now()));
	}

}

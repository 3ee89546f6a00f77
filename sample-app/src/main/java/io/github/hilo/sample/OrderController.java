package io.github.hilo.sample;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Places and shows orders, whose ids are strings.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

	static final int MAX_COUNT = 10_000;

	private final OrderRepository orders;

	OrderController(OrderRepository orders) {
		this.orders = orders;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	List<Order> place(@RequestParam(defaultValue = "1") int count) {
		if (count < 1 || count > MAX_COUNT) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"count has to be from 1 to " + MAX_COUNT + ", but is " + count + ".");
		}
		Instant now = Instant.now();
		List<Order> placed = IntStream.rangeClosed(1, count)
			.mapToObj((position) -> Order.placedAt(now, position))
			.toList();
		// What is returned has the ids; what was passed never gets any.
		return this.orders.saveAll(placed);
	}

	@GetMapping
	List<Order> newest() {
		return this.orders.findTop20ByOrderByPlacedAtDescPositionDescIdDesc();
	}

	/**
	 * Shows one order. Its id takes the rest of the path, because it contains a slash.
	 */
	@GetMapping("/{*path}")
	Order order(@PathVariable String path) {
		String id = path.substring(1);
		return this.orders.findById(id)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id + "."));
	}

}

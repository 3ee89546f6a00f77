package io.github.hilo.sample;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.mongodb.core.MongoOperations;
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

	private final NewestOrders newest;

	private final MongoOperations mongo;

	private final long maxOrders;

	OrderController(OrderRepository orders, NewestOrders newest, MongoOperations mongo,
			@Value("${sample.max-orders}") long maxOrders) {
		this.orders = orders;
		this.newest = newest;
		this.mongo = mongo;
		this.maxOrders = maxOrders;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	List<Order> place(@RequestParam(defaultValue = "1") int count) {
		if (count < 1 || count > MAX_COUNT) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"count must be from 1 to " + MAX_COUNT + ", but is " + count + ".");
		}
		refuseBeyondLimit(count);
		Instant now = Instant.now();
		List<Order> placed = IntStream.rangeClosed(1, count)
			.mapToObj((position) -> Order.placedAt(now, position))
			.toList();
		// What is returned has the ids; what was passed never gets any.
		List<Order> stored = this.orders.saveAll(placed);
		this.newest.add(stored);
		return stored;
	}

	/** Keeps the data of a sample that is left to a script from filling the disk. */
	private void refuseBeyondLimit(int count) {
		long stored = this.mongo.estimatedCount(Order.class);
		if (stored + count > this.maxOrders) {
			throw new ResponseStatusException(HttpStatus.INSUFFICIENT_STORAGE,
					"%d orders are stored, and %d more would be more than sample.max-orders=%d. Start the shop with a higher limit, or with other data: --sample.data=FILE."
						.formatted(stored, count, this.maxOrders));
		}
	}

	@GetMapping
	List<Order> newest() {
		return this.newest.find();
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

package io.github.hilo.sample.demo;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.mongodb.ConnectionString;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.sample.shop.Order;
import io.github.hilo.sample.shop.OrderRepository;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * What the page asks for beside the shop and the actuator.
 */
@RestController
class PageController {

	static final int MAX_COUNT = 10_000;

	/** More than the page can show. */
	private static final int MAX_COUNTERS = 100;

	private final Environment environment;

	private final MongoConnectionDetails connection;

	private final MongoTemplate mongo;

	private final HiLoIdGenerator ids;

	private final OrderRepository orders;

	private final NewestOrders newest;

	private final SecondShop second;

	private final long maxOrders;

	PageController(Environment environment, MongoConnectionDetails connection, MongoTemplate mongo, HiLoIdGenerator ids,
			OrderRepository orders, NewestOrders newest, SecondShop second,
			@Value("${sample.max-orders}") long maxOrders) {
		this.environment = environment;
		this.connection = connection;
		this.mongo = mongo;
		this.ids = ids;
		this.orders = orders;
		this.newest = newest;
		this.second = second;
		this.maxOrders = maxOrders;
	}

	@GetMapping("/node")
	Node node() {
		String tag = this.environment.getProperty("hilo.node-tag", "A");
		ConnectionString server = this.connection.getConnectionString();
		String database = this.mongo.getDb().getName();
		int port = this.environment.getRequiredProperty("local.server.port", Integer.class);
		return new Node(tag, database, server.getHosts(), SecondNode.beside(port, tag, server, database),
				this.second.isAllowed(), this.second.address());
	}

	/**
	 * Shows the counters of all processes, by the names of their documents.
	 */
	@GetMapping("/counters")
	Map<String, Long> counters() {
		String collection = this.environment.getProperty("hilo.counter.collection", "@hilo");
		return this.mongo.find(new Query().limit(MAX_COUNTERS), Document.class, collection)
			.stream()
			.filter((counter) -> counter.get("Max") instanceof Number)
			.collect(Collectors.toMap((counter) -> String.valueOf(counter.get("_id")),
					(counter) -> counter.get("Max", Number.class).longValue()));
	}

	/** Places many orders at once. */
	@PostMapping(path = "/orders", params = "count")
	@ResponseStatus(HttpStatus.CREATED)
	List<Order> placeOrders(@RequestParam int count) {
		if (count < 1 || count > MAX_COUNT) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"count must be from 1 to " + MAX_COUNT + ", but is " + count + ".");
		}
		// Keeps the data of a sample that is left to a script from filling the disk.
		long stored = this.mongo.estimatedCount(Order.class);
		if (stored + count > this.maxOrders) {
			throw new ResponseStatusException(HttpStatus.INSUFFICIENT_STORAGE,
					"%d orders are stored, and %d more would be more than sample.max-orders=%d. Start the shop with a higher limit, or with other data: --sample.data=FILE."
						.formatted(stored, count, this.maxOrders));
		}
		// What is returned has the ids; what was passed never gets any.
		return this.orders.saveAll(Collections.nCopies(count, new Order(null, Instant.now())));
	}

	@GetMapping("/orders")
	List<Order> newestOrders() {
		return this.newest.find();
	}

	/**
	 * Returns unused ranges. The actuator's endpoint can, too, but an application that
	 * lets it write also lets it raise counters, which cannot be undone.
	 */
	@DeleteMapping("/ranges")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void returnRanges() {
		this.ids.release();
	}

	@PostMapping("/second")
	@ResponseStatus(HttpStatus.CREATED)
	Node startSecond() {
		this.second.start();
		return node();
	}

	@DeleteMapping("/second")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void endSecond(@RequestParam(defaultValue = "false") boolean kill) {
		if (kill) {
			this.second.kill();
		}
		else {
			this.second.stop();
		}
	}

	/**
	 * This shop. Of its server's address it has hosts alone, never a user or a password.
	 *
	 * @param nodeTag tag at the end of its document ids
	 * @param database where its documents are
	 * @param hosts its server's hosts
	 * @param second how to start another shop on the same server
	 * @param startsSecond whether this shop can start the other itself
	 * @param running where the one answers that it started, or {@code null}
	 */
	record Node(String nodeTag, String database, List<String> hosts, SecondNode second, boolean startsSecond,
			@Nullable String running) {
	}

}

package io.github.hilo.sample;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Sort.Direction;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.index.Index;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Adds customers, who have numbers beside their ids.
 */
@RestController
@RequestMapping("/customers")
class CustomerController {

	private final MongoOperations mongo;

	private volatile boolean indexed;

	CustomerController(MongoOperations mongo) {
		this.mongo = mongo;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	CustomerView add() {
		createIndex();
		Customer added = this.mongo.insert(Customer.since(Instant.now()));
		return new CustomerView(String.valueOf(added.id()), added.number(), added.since());
	}

	/** Not at start-up: a shop has to start while MongoDB is down. */
	private void createIndex() {
		if (!this.indexed) {
			this.mongo.indexOps(Customer.class)
				.createIndex(new Index("number", Direction.ASC).named("number").unique());
			this.indexed = true;
		}
	}

	/**
	 * A customer as it is shown.
	 *
	 * @param id the ObjectId, as a hexadecimal text
	 * @param number the customer number
	 * @param since when it was added
	 */
	record CustomerView(String id, @Nullable Long number, Instant since) {
	}

}

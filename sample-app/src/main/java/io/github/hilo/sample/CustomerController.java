package io.github.hilo.sample;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.MongoOperations;
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

	CustomerController(MongoOperations mongo) {
		this.mongo = mongo;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	CustomerView add() {
		Customer added = this.mongo.insert(Customer.since(Instant.now()));
		return new CustomerView(String.valueOf(added.id()), added.number(), added.since());
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

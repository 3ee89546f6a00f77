package io.github.hilo.sample;

import java.time.Instant;

import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Issues invoices, whose ids are numbers in strict order.
 */
@RestController
@RequestMapping("/invoices")
class InvoiceController {

	private final MongoOperations mongo;

	InvoiceController(MongoOperations mongo) {
		this.mongo = mongo;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Invoice issue() {
		return this.mongo.insert(Invoice.issuedAt(Instant.now()));
	}

}

package io.github.hilo.data;

import java.util.function.Consumer;

import io.github.hilo.data.SavePathTests.Order;
import io.github.hilo.fixture.TestApplications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.bulk.Bulk;
import org.springframework.data.mongodb.core.bulk.Bulk.BulkSpec;
import org.springframework.data.mongodb.core.bulk.BulkWriteOptions;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.data.mongodb.core.query.Criteria.where;

/**
 * What {@code bulkWrite} does with an entity without an id, as {@link SavePathTests} has
 * it for the other ways to save one.
 */
class BulkWriteTests {

	private static final Query JOHN = Query.query(where("name").is("John"));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	@Test
	void insertedDocumentGetsAnId() {
		run((template) -> {
			write(template, (spec) -> spec.insert(new Order(null, "John")));
			assertThat(template.findAll(Order.class)).containsExactly(new Order("orders/1-A", "John"));
		});
	}

	@Test
	void replacementWithoutAnIdOfAnExistingDocumentFails() {
		run((template) -> {
			template.insert(new Order(null, "John"));
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> write(template, (spec) -> spec.replaceOne(JOHN, new Order(null, "Jane"))))
				.withMessageContaining("_id");
			assertThat(template.findAll(Order.class)).containsExactly(new Order("orders/1-A", "John"));
		});
	}

	@Test
	void replacementWithTheIdOfTheExistingDocumentReplacesIt() {
		run((template) -> {
			Order existing = template.insert(new Order(null, "John"));
			write(template, (spec) -> spec.replaceOne(JOHN, new Order(existing.id(), "Jane")));
			assertThat(template.findAll(Order.class)).containsExactly(new Order("orders/1-A", "Jane"));
		});
	}

	private static void write(MongoTemplate template, Consumer<BulkSpec> operations) {
		template.bulkWrite(Bulk.create((bulk) -> bulk.inCollection(Order.class, operations)),
				BulkWriteOptions.ordered());
	}

	private void run(ThrowingConsumer<MongoTemplate> test) {
		this.applications.run((app) -> test.accept(app.template()));
	}

}

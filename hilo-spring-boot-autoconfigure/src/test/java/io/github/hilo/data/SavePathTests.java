package io.github.hilo.data;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.DataAccessException;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.FindAndReplaceOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReplaceOptions;
import org.springframework.data.mongodb.core.bulk.Bulk;
import org.springframework.data.mongodb.core.bulk.Bulk.BulkSpec;
import org.springframework.data.mongodb.core.bulk.BulkWriteOptions;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;
import static org.springframework.data.mongodb.core.query.Criteria.where;

/**
 * What a template does with an entity without an id, by the ways to save one that
 * {@link SavingGuideTests} does not have.
 */
class SavePathTests {

	private static final Query NO_MATCH = Query.query(where("name").is("nobody"));

	private static final Query JOHN = Query.query(where("name").is("John"));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@ParameterizedTest
	@MethodSource
	void newDocumentGetsAnId(SavePath path) {
		run((template) -> {
			Object result = path.save(template, new Order(null, "John"));
			assertThat(this.database.ids("orders")).containsExactly("orders/1-A");
			assertThat(template.findOne(JOHN, Order.class)).isEqualTo(new Order("orders/1-A", "John"));
			if (result instanceof Order order) {
				assertThat(order).isEqualTo(new Order("orders/1-A", "John"));
			}
		});
	}

	static Stream<Arguments> newDocumentGetsAnId() {
		return Stream.of(path("insert into a collection", (template, order) -> template.insert(order, "orders")),
				path("save into a collection", (template, order) -> template.save(order, "orders")),
				path("fluent bulk", (template, order) -> template.insert(Order.class).bulk(List.of(order))),
				path("bulk replaceOne of nothing",
						(template, order) -> template.bulkOps(BulkMode.ORDERED, Order.class)
							.replaceOne(NO_MATCH, order, FindAndReplaceOptions.options().upsert())
							.execute()),
				path("bulkWrite", bulkWrite(BulkSpec::insert)),
				path("findAndReplace of nothing", (template, order) -> template.findAndReplace(NO_MATCH, order,
						FindAndReplaceOptions.options().upsert().returnNew())));
	}

	@Test
	void updateThatInsertsIsLeftToMongoDb() {
		run((template) -> {
			template.upsert(JOHN, Update.update("total", 1), Order.class);
			assertThat(this.database.ids("orders")).singleElement().isInstanceOf(ObjectId.class);
			assertThat(this.database.counters()).isEmpty();
		});
	}

	@ParameterizedTest
	@MethodSource
	void replacementOfADocumentNeedsItsId(SavePath path) {
		run((template) -> {
			Order existing = template.insert(new Order(null, "John"));
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> path.save(template, new Order(null, "Jane")))
				.withMessageContaining("_id");
			assertThat(template.findAll(Order.class)).containsExactly(existing);
			path.save(template, new Order(existing.id(), "Jane"));
			assertThat(template.findAll(Order.class)).containsExactly(new Order("orders/1-A", "Jane"));
		});
	}

	static Stream<Arguments> replacementOfADocumentNeedsItsId() {
		return Stream.of(path("findAndReplace", (template, order) -> template.findAndReplace(JOHN, order)),
				path("bulk replaceOne", (template,
						order) -> template.bulkOps(BulkMode.ORDERED, Order.class).replaceOne(JOHN, order).execute()),
				path("bulkWrite", bulkWrite((bulk, order) -> bulk.replaceOne(JOHN, order))));
	}

	private static SavePath bulkWrite(BiConsumer<BulkSpec, Order> operation) {
		return (template, order) -> template.bulkWrite(
				Bulk.create((bulk) -> bulk.inCollection(Order.class, (spec) -> operation.accept(spec, order))),
				BulkWriteOptions.ordered());
	}

	@Test
	void replaceMapsTheDocumentBeforeItGetsAnId() {
		run((template) -> {
			Order existing = template.insert(new Order(null, "John"));
			template.replace(JOHN, new Order(null, "Jane"));
			assertThat(template.findAll(Order.class)).containsExactly(new Order(existing.id(), "Jane"));
			template.replace(NO_MATCH, new Order(null, "Jim"), ReplaceOptions.replaceOptions().upsert());
			assertThat(this.database.ids("orders")).hasSize(2).hasAtLeastOneElementOfType(ObjectId.class);
		});
	}

	private void run(ThrowingConsumer<MongoTemplate> test) {
		this.applications.run((app) -> test.accept(app.template()));
	}

	private static Arguments path(String name, SavePath path) {
		return argumentSet(name, path);
	}

	@FunctionalInterface
	private interface SavePath {

		@Nullable Object save(MongoTemplate template, Order order);

	}

	@Document("orders")
	record Order(@Nullable String id, String name) {
	}

}

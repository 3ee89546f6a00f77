package io.github.hilo.data;

import java.util.List;
import java.util.Objects;

import io.github.hilo.HiLo;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.data.mongodb.core.query.Criteria.where;

/**
 * Numbers in properties beside the id, in an application.
 */
class NumberedPropertyTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Test
	void severalPropertiesCountApartAndAreSharedByName() {
		run((template) -> {
			Issue first = template.insert(new Issue());
			Issue second = template.insert(new Issue());
			Task task = template.insert(new Task(null, null));
			assertThat(first.id).isEqualTo("issues/1-A");
			assertThat(first.ticket).isOne();
			assertThat(first.reference).isEqualTo("issues.ref/1-A");
			assertThat(first.small).isEqualTo(1);
			assertThat(second.id).isEqualTo("issues/2-A");
			assertThat(second.ticket).isEqualTo(2);
			assertThat(second.reference).isEqualTo("issues.ref/2-A");
			assertThat(task.ticket()).isEqualTo(3);
			assertThat(this.database.collection("issues").find(new org.bson.Document("ref", "issues.ref/1-A")))
				.hasSize(1);
		});
	}

	@Test
	void replacementGetsANewNumberAndAnUpsertByQueryOrReplaceNone() {
		run((template) -> {
			template.insert(new Customer(null, null, "Ada"));
			template.findAndReplace(Query.query(where("name").is("Ada")), new Customer(null, null, "Eve"));
			template.bulkOps(BulkMode.ORDERED, Customer.class)
				.replaceOne(Query.query(where("name").is("Eve")), new Customer(null, null, "Ida"))
				.execute();
			template.upsert(Query.query(where("name").is("Bob")), Update.update("name", "Bob"), Customer.class);
			assertThat(template.find(Query.query(where("name").is("Ida")), Customer.class)).singleElement()
				.satisfies((customer) -> assertThat(customer.number()).isEqualTo(3));
			assertThat(template.find(Query.query(where("name").is("Bob")), Customer.class)).singleElement()
				.satisfies((customer) -> assertThat(customer.number()).isNull());
			template.replace(Query.query(where("name").is("Ida")), new Customer(null, null, "Joe"));
			assertThat(template.find(Query.query(where("name").is("Joe")), Customer.class)).singleElement()
				.satisfies((customer) -> assertThat(customer.number()).isNull());
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void reactiveSaveGivesNumbers(boolean bothDrivers) {
		this.database.collection("customers").insertOne(new org.bson.Document("number", 40L));
		TestApplications.run(this.applications.reactive(bothDrivers), (app) -> {
			List<Customer> customers = app.reactiveTemplate()
				.insertAll(List.of(new Customer(null, null, "a"), new Customer(null, null, "b")))
				.collectList()
				.block();
			assertThat(customers).extracting(Customer::number).containsExactlyInAnyOrder(41L, 42L);
			Issue issue = Objects.requireNonNull(app.reactiveTemplate().save(new Issue()).block());
			assertThat(List.of(issue.id, issue.ticket, issue.reference, issue.small))
				.isEqualTo(List.of("issues/1-A", 1L, "issues.ref/1-A", 1));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "hilo.assign-ids=annotated", "hilo.packages=com.example.shop" })
	void choiceOfTypesConcernsTheIdAlone(String property) {
		run((template) -> {
			Issue issue = template.insert(new Issue());
			assertThat(ObjectId.isValid(String.valueOf(issue.id))).isTrue();
			assertThat(issue.ticket).isOne();
			assertThat(template.insert(new Chosen(null)).id()).isEqualTo("chosen/1-A");
			LeftAlone left = template.insert(new LeftAlone(null, null, null));
			assertThat(ObjectId.isValid(String.valueOf(left.id()))).isTrue();
			assertThat(left.number()).isOne();
			assertThat(left.off()).isNull();
		}, property);
	}

	@Test
	void assignIdsOfNoneSwitchesAllOff() {
		run((template) -> assertThat(template.insert(new Customer(null, null, "Ada")).number()).isNull(),
				"hilo.assign-ids=none");
	}

	@Test
	void textIsNeverOneThatIsStored() {
		this.database.collection("issues")
			.insertMany(List.of(new org.bson.Document("_id", "a").append("ref", "issues.ref/41-B"),
					new org.bson.Document("_id", 99L).append("ref", 99L)));
		run((template) -> {
			Issue issue = template.insert(new Issue());
			assertThat(issue.reference).isEqualTo("issues.ref/42-A");
			assertThat(issue.id).isEqualTo("issues/1-A");
		});
	}

	@Test
	void idsAndNumbersOfOneSequenceAreLookedAtWhereverTheyAre() {
		this.database.collection("tasks").insertOne(new org.bson.Document("_id", 1).append("ticket", 70));
		this.database.collection("issues").insertOne(new org.bson.Document("_id", "x").append("ticket", 50));
		this.database.collection("tickets").insertOne(new org.bson.Document("_id", 60));
		run((template) -> {
			template.getConverter().getMappingContext().getPersistentEntity(Task.class);
			assertThat(template.insert(new Issue()).ticket).isEqualTo(71);
		});
	}

	@Test
	void numberOfAnExpressionsCollectionIsOfTheCollectionThatItGives() {
		this.database.collection("tenant-1").insertOne(new org.bson.Document("number", 8));
		run((template) -> {
			assertThat(template.insert(new PerTenant(null, null)).number()).isEqualTo(9);
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/tenant-1.number");
		});
	}

	@Test
	void twoCountersOfOneFieldAreRefused() {
		run((template) -> {
			template.insert(new OneCounter(null, null));
			assertThatIllegalStateException().isThrownBy(() -> template.insert(new OtherCounter(null, null)))
				.withMessageContainingAll("'number'", OtherCounter.class.getName(), "'other'", "'one'",
						"collection 'counted'", OneCounter.class.getName());
		});
	}

	@Test
	void nestedDocumentKeepsItsPropertyAsItIs() {
		run((template) -> {
			Basket basket = template.insert(new Basket(null, null, List.of(new Task(null, null))));
			assertThat(basket.number()).isOne();
			assertThat(basket.tasks()).extracting(Task::ticket).containsOnlyNulls();
		});
	}

	private void run(ThrowingConsumer<MongoTemplate> test, String... properties) {
		this.applications.run((app) -> test.accept(app.template()), properties);
	}

	@Document("customers")
	record Customer(@Id @Nullable ObjectId id, @HiLo @Nullable Long number, String name) {
	}

	@Document("issues")
	static class Issue {

		@Nullable String id;

		@HiLo("tickets")
		long ticket;

		@HiLo
		@Field("ref")
		@Nullable String reference;

		private @Nullable Integer small;

		@HiLo
		public @Nullable Integer getSmall() {
			return this.small;
		}

	}

	@Document("tasks")
	record Task(@Nullable ObjectId id, @HiLo(sequence = "tickets") @Nullable Long ticket) {
	}

	@HiLo(enabled = false)
	@Document("left")
	record LeftAlone(@Nullable String id, @HiLo @Nullable Long number, @HiLo(enabled = false) @Nullable Long off) {
	}

	@HiLo
	@Document("chosen")
	record Chosen(@Nullable String id) {
	}

	@Document("#{'tenant-' + 1}")
	record PerTenant(@Nullable ObjectId id, @HiLo @Nullable Long number) {
	}

	@Document("counted")
	record OneCounter(@Nullable ObjectId id, @HiLo("one") @Nullable Long number) {
	}

	@Document("counted")
	record OtherCounter(@Nullable ObjectId id, @HiLo("other") @Nullable Long number) {
	}

	@Document("baskets")
	record Basket(@Nullable ObjectId id, @HiLo @Nullable Long number, List<Task> tasks) {
	}

}

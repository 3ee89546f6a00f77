package io.github.hilo.data;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.springframework.data.mongodb.core.query.Criteria.where;

/**
 * Numbers in properties beside the id, in an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class NumberedPropertyTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Test
	void customerKeepsItsObjectIdAndGetsANumber() {
		run((template) -> {
			Customer first = template.insert(new Customer(null, null, "Ada"));
			Customer second = template.save(new Customer(null, null, "Bob"));
			assertThat(List.of(first, second)).extracting(Customer::number).containsExactly(1L, 2L);
			assertThat(template.findAll(Customer.class)).containsExactly(first, second)
				.allSatisfy((customer) -> assertThat(customer.id()).isNotNull());
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/customers.number");
		});
	}

	@Test
	void propertyOfEveryShapeGetsANumber() {
		run((template) -> {
			assertThat(template.insert(new ByAccessor()).getNumber()).isOne();
			assertThat(template.insert(new WithWither(null, null)).number).isEqualTo(1L);
			assertThat(template.insert(new Sub()).number).isEqualTo(1L);
			assertThat(template.insert(new KeyedTicket()).id).isOne();
			assertThat(template.insert(new KeyedTicket()).id).isEqualTo(2);
			assertThat(this.database.collection("keyed").distinct("id", Long.class)).containsExactly(1L, 2L);
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/accessors.number", "Raven/HiLo/keyed.id",
					"Raven/HiLo/subs.number", "Raven/HiLo/withers.number");
		});
	}

	@Test
	void replaceNumbersTheObjectAloneAsTheGuideSays() {
		run((template) -> {
			Customer stored = template.insert(new Customer(null, null, "Ada"));
			template.replace(Query.query(where("_id").is(stored.id())), new Customer(null, null, "Eve"));
			assertThat(template.findAll(Customer.class)).containsExactly(new Customer(stored.id(), null, "Eve"));
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/customers.number");
		});
	}

	@Test
	void documentFromBeforeGetsItsNumberWhenItIsSaved() {
		run((template) -> {
			ObjectId id = new ObjectId();
			this.database.collection("customers").insertOne(new org.bson.Document("_id", id).append("name", "Ada"));
			Customer old = Objects.requireNonNull(template.findById(id, Customer.class));
			assertThat(template.save(old)).isEqualTo(new Customer(id, 1L, "Ada"));
		});
	}

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
	void replacementGetsANewNumberAndAnUpsertByQueryNone() {
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
	void numberIsNeverOneThatIsStored(CapturedOutput output) {
		this.database.collection("customers").insertOne(new org.bson.Document("number", 41));
		this.database.collection("customers").createIndex(new org.bson.Document("number", 1));
		run((template) -> assertThat(template.insert(new Customer(null, null, "Ada")).number()).isEqualTo(42));
		this.database.setCounterTo("customers.number", 100);
		this.database.collection("customers").insertOne(new org.bson.Document("number", 110.0));
		run((template) -> assertThat(template.insert(new Customer(null, null, "Bob")).number()).isEqualTo(133));
		assertThat(output).contains("Numbers 101 to 132 of sequence 'customers.number'",
				"field 'number' of collection 'customers' already has the id 110.0");
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
	void eachSequenceReservesItsOwnRangesAsIfItWereAlone() {
		this.applications.run((app) -> {
			app.template().insertAll(Stream.generate(Issue::new).limit(100).toList());
			assertThat(app.engine().snapshot()).extractingByKey(this.database.name(), MAP)
				.containsOnlyKeys("issues", "issues.ref", "issues.small", "tickets")
				.allSatisfy((sequence, snapshot) -> assertThat(snapshot).extracting("reservations").isEqualTo(3L));
		}, "hilo.range.prefetch=false");
	}

	@Test
	void numberBeyondAnIntIsAnError() {
		this.database.setCounter("issues.small", Integer.MAX_VALUE);
		this.database.setCounter("ints.number", Integer.MAX_VALUE - 1L);
		run((template) -> {
			assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(() -> template.insert(new Issue()))
				.withMessageContainingAll("2147483648", "'issues.small'", "int property 'small'",
						Issue.class.getName());
			assertThat(template.insert(new AsInt(null, null)).number()).isEqualTo(Integer.MAX_VALUE);
			assertThatExceptionOfType(HiLoExhaustedException.class)
				.isThrownBy(() -> template.insert(new AsInt(null, null)));
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

		@HiLo
		@Nullable Integer small;

	}

	@Document("tasks")
	record Task(@Nullable ObjectId id, @HiLo(sequence = "tickets") @Nullable Long ticket) {
	}

	@Document("keyed")
	static class KeyedTicket {

		@Id
		@Nullable ObjectId key;

		@HiLo
		long id;

	}

	@Document("ints")
	record AsInt(@Nullable ObjectId id, @HiLo @Field(targetType = FieldType.INT32) @Nullable Long number) {
	}

	@Document("accessors")
	public static class ByAccessor {

		@Nullable ObjectId id;

		private int number;

		@HiLo
		public int getNumber() {
			return this.number;
		}

		public void setNumber(int number) {
			this.number = number;
		}

	}

	@Document("withers")
	static class WithWither {

		final @Nullable ObjectId id;

		@HiLo
		final @Nullable Long number;

		WithWither(@Nullable ObjectId id, @Nullable Long number) {
			this.id = id;
			this.number = number;
		}

		WithWither withId(ObjectId id) {
			return new WithWither(id, this.number);
		}

		WithWither withNumber(Long number) {
			return new WithWither(this.id, number);
		}

	}

	abstract static class Base {

		@Nullable ObjectId id;

		@HiLo
		@Nullable Long number;

	}

	@Document("subs")
	static class Sub extends Base {

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

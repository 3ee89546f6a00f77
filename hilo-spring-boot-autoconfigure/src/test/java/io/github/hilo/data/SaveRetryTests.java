package io.github.hilo.data;

import java.util.List;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Version;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a second attempt does after a save that failed, because a unique index was
 * violated or because somebody else stored the id.
 */
class SaveRetryTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final MongoCollection<org.bson.Document> orders = this.database.collection("orders");

	@Test
	void mutableEntityKeepsItsIdAfterAViolatedIndexAndIsSavedWithIt() {
		runWithUniqueCustomers((template) -> {
			Order order = new Order("Ada");
			assertThatViolatesIndexOfCustomers(() -> template.insert(order));
			assertThat(order.id).isEqualTo("orders/2-A");
			order.customer = "Bob";
			template.save(order);
			assertStored("orders/1-A", "Ada");
			assertStored("orders/2-A", "Bob");
			assertThat(template.insert(new Order("Eve")).id).isEqualTo("orders/3-A");
		});
	}

	@Test
	void versionedEntityCountsAsStoredAfterAViolatedIndexAndIsInsertedWithItsId() {
		runWithUniqueCustomers((template) -> {
			VersionedOrder order = new VersionedOrder("Ada");
			assertThatViolatesIndexOfCustomers(() -> template.save(order));
			assertThat(order.id).isEqualTo("orders/2-A");
			assertThat(order.version).isZero();
			order.customer = "Bob";
			assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> template.save(order));
			template.insert(order);
			assertStored("orders/2-A", "Bob");
			assertThat(order.version).isZero();
		});
	}

	/**
	 * One with a version, if the document has the same version.
	 */
	@ParameterizedTest
	@MethodSource("newOrders")
	void savingAMutableEntityAgainReplacesTheDocumentThatHasItsId(Order order) {
		runWithTakenId((template) -> {
			Orders repository = repository(template, Orders.class);
			assertThatIdIsTaken(() -> repository.save(order));
			assertThat(order.id).isEqualTo("orders/2-A");
			repository.save(order);
			assertStored("orders/2-A", "Ada");
		});
	}

	@ParameterizedTest
	@MethodSource("newOrders")
	void mutableEntityWhoseIdIsTakenIsSavedOnceItsIdIsNull(Order order) {
		runWithTakenId((template) -> {
			new Shop(repository(template, Orders.class)).place(order);
			assertThat(order.id).isEqualTo("orders/3-A");
			assertStored("orders/2-A", "somebody else");
			assertStored("orders/3-A", "Ada");
		});
	}

	/**
	 * An order of the shop that is stored already would be stored a second time.
	 */
	@Test
	void onlyAnIdThatIsTakenIsReplacedAndOnlyThatOfANewEntity() {
		runWithUniqueCustomers((template) -> {
			Shop shop = new Shop(repository(template, Orders.class));
			Order another = new Order("Ada");
			assertThatViolatesIndexOfCustomers(() -> shop.place(another));
			assertThat(another.id).as("keeps its id").isEqualTo("orders/2-A");
			VersionedOrder older = new VersionedOrder("Bob");
			older.id = "orders/1-A";
			assertThatIdIsTaken(() -> shop.place(older));
			assertThat(this.database.ids("orders")).containsExactly("orders/1-A");
		});
	}

	static Stream<Order> newOrders() {
		return Stream.of(new Order("Ada"), new VersionedOrder("Ada"));
	}

	@Test
	void immutableEntityWhoseIdIsTakenGetsTheNextOne() {
		runWithTakenId((template) -> {
			ImmutableOrders repository = repository(template, ImmutableOrders.class);
			ImmutableOrder order = new ImmutableOrder(null, "Ada");
			assertThatIdIsTaken(() -> repository.save(order));
			assertThat(repository.save(order).id()).isEqualTo("orders/3-A");
			assertStored("orders/2-A", "somebody else");
			assertStored("orders/3-A", "Ada");
		});
	}

	@Test
	void listThatFailsIsStoredUpToTheEntityThatFailed() {
		runWithUniqueCustomers((template) -> {
			List<Order> list = List.of(new Order("Bob"), new Order("Ada"), new Order("Eve"));
			assertThatViolatesIndexOfCustomers(() -> template.insertAll(list));
			assertThat(list).extracting((order) -> order.id).containsExactly("orders/2-A", "orders/3-A", "orders/4-A");
			assertThat(this.database.ids("orders")).containsExactly("orders/1-A", "orders/2-A");
		});
	}

	/**
	 * The application has stored Ada's order with number 1, and may store no other.
	 */
	private void runWithUniqueCustomers(ThrowingConsumer<MongoTemplate> test) {
		this.orders.createIndex(new org.bson.Document("customer", 1),
				new com.mongodb.client.model.IndexOptions().unique(true).name("customers"));
		run((template) -> {
			template.insert(new Order("Ada"));
			test.accept(template);
		});
	}

	/**
	 * The application has issued number 1, and somebody has stored a document with the id
	 * that comes next.
	 */
	private void runWithTakenId(ThrowingConsumer<MongoTemplate> test) {
		run((template) -> {
			template.insert(new Order("first"));
			this.orders.insertOne(new org.bson.Document("_id", "orders/2-A").append("customer", "somebody else")
				.append("version", 0L));
			test.accept(template);
		});
	}

	private void run(ThrowingConsumer<MongoTemplate> test) {
		this.applications.run((app) -> test.accept(app.template()));
	}

	private static void assertThatViolatesIndexOfCustomers(Runnable save) {
		assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(save::run)
			.withMessageContaining("index: customers ");
	}

	private static void assertThatIdIsTaken(Runnable save) {
		assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(save::run)
			.withMessageContaining("index: _id_ ");
	}

	private void assertStored(String id, String customer) {
		assertThat(this.orders.find(new org.bson.Document("_id", id)).first()).containsEntry("customer", customer);
	}

	private static <R extends MongoRepository<?, String>> R repository(MongoTemplate template, Class<R> type) {
		MongoRepositoryFactory repositories = new MongoRepositoryFactory(template);
		repositories.setBeanClassLoader(type.getClassLoader());
		return repositories.getRepository(type);
	}

	/**
	 * Saves as {@code docs/saving.md} shows.
	 */
	private record Shop(Orders orders) {

		void place(Order order) {
			boolean created = order.getId() == null;
			try {
				this.orders.save(order);
			}
			catch (DuplicateKeyException ex) {
				if (!created || !String.valueOf(ex.getMessage()).contains("index: _id_")) {
					throw ex;
				}
				order.setId(null);
				this.orders.save(order);
			}
		}

	}

	interface Orders extends MongoRepository<Order, String> {

	}

	interface ImmutableOrders extends MongoRepository<ImmutableOrder, String> {

	}

	@Document("orders")
	static class Order {

		@Nullable String id;

		String customer;

		Order(String customer) {
			this.customer = customer;
		}

		@Nullable String getId() {
			return this.id;
		}

		void setId(@Nullable String id) {
			this.id = id;
		}

	}

	@Document("orders")
	static class VersionedOrder extends Order {

		@Version
		@Nullable Long version;

		VersionedOrder(String customer) {
			super(customer);
		}

		/**
		 * Makes it new again.
		 */
		@Override
		void setId(@Nullable String id) {
			super.setId(id);
			this.version = null;
		}

	}

	@Document("orders")
	record ImmutableOrder(@Nullable String id, String customer) {
	}

}

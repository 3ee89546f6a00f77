package io.github.hilo.data;

import java.util.List;

import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RepositoryTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void everyWayToSaveANewEntityGivesItAnId() {
		run((orders) -> {
			assertThat(orders.save(new Order(null, "John")).id()).isEqualTo("orders/1-A");
			assertThat(orders.insert(new Order(null, "Jane")).id()).isEqualTo("orders/2-A");
			assertThat(orders.saveAll(List.of(new Order(null, "Jim"), new Order("mine", "June")))).extracting(Order::id)
				.containsExactly("orders/3-A", "mine");
			assertThat(orders.insert(List.of(new Order(null, "Jill"), new Order(null, "Jack")))).extracting(Order::id)
				.containsExactly("orders/4-A", "orders/5-A");
			assertThat(orders.findById("orders/3-A")).contains(new Order("orders/3-A", "Jim"));
		});
	}

	@Test
	void savingAgainUpdates() {
		run((orders) -> {
			Order order = orders.save(new Order(null, "John"));
			assertThat(orders.save(new Order(order.id(), "Jane")).id()).isEqualTo("orders/1-A");
			assertThat(orders.findAll()).containsExactly(new Order("orders/1-A", "Jane"));
		});
	}

	@Test
	void idThatIsTakenIsNeverOverwritten() {
		run((orders) -> {
			assertThat(orders.save(new Order(null, "Jim")).id()).isEqualTo("orders/1-A");
			this.database.collection("orders")
				.insertOne(new org.bson.Document("_id", "orders/2-A").append("name", "John"));
			assertThatExceptionOfType(DuplicateKeyException.class)
				.isThrownBy(() -> orders.save(new Order(null, "Jane")));
			assertThat(orders.findAll()).containsExactly(new Order("orders/1-A", "Jim"),
					new Order("orders/2-A", "John"));
			assertThat(orders.save(new Order(null, "Jane")).id()).isEqualTo("orders/3-A");
		});
	}

	private void run(ThrowingConsumer<Orders> test) {
		this.database.contextRunner()
			.withUserConfiguration(Repositories.class)
			.run((context) -> test.accept(context.getBean(Orders.class)));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMongoRepositories(considerNestedRepositories = true)
	static class Repositories {

	}

	interface Orders extends MongoRepository<Order, String> {

	}

	@Document("orders")
	record Order(@Nullable String id, String name) {
	}

}

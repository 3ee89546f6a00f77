package io.github.hilo.applications;

import com.mongodb.client.MongoClient;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.convert.MongoConverter;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shop that keeps an entry about each order in a database of its own.
 */
@Thorough
class TwoDatabasesTests {

	private final ApplicationDatabase shop = new ApplicationDatabase();

	private final ApplicationDatabase audit = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.shop.contextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("shop.audit-database=" + this.audit.name());

	@Test
	void eachDatabaseCountsForItself() {
		this.application.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThat(shop.order("Ada").id()).isEqualTo("orders/1-A");
			assertThat(shop.order("Bob").id()).isEqualTo("orders/2-A");
			assertThat(shop.auditedLater("Cyd").id()).as("the same type in the other database").isEqualTo("orders/1-A");
			assertThat(this.shop.ids("orders")).containsExactly("orders/1-A", "orders/2-A");
			assertThat(this.audit.ids("entries")).containsExactly(1L, 2L);
			assertThat(this.audit.ids("orders")).containsExactly("orders/1-A");
			assertThat(this.shop.counters()).containsExactly("Raven/HiLo/orders");
			assertThat(this.audit.counters()).containsExactly("Raven/HiLo/entries", "Raven/HiLo/orders");
		});
	}

	@Test
	void unusedNumbersGoBackToBothDatabases() {
		this.application.run((context) -> context.getBean(Shop.class).order("Ada"));
		assertThat(this.shop.collection("@hilo").find().first()).containsEntry("Max", 1L);
		assertThat(this.audit.collection("@hilo").find().first()).containsEntry("Max", 1L);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Shop.class)
	static class Application {

		/**
		 * Spring Boot's own template stays the default one.
		 */
		@Bean(defaultCandidate = false)
		@Qualifier("audit")
		MongoTemplate auditTemplate(@Value("${shop.audit-database}") String database, MongoClient client,
				MongoConverter converter) {
			return new MongoTemplate(new SimpleMongoClientDatabaseFactory(client, database), converter);
		}

	}

	@Service
	static class Shop {

		private final MongoOperations template;

		private final MongoOperations audit;

		Shop(MongoOperations template, @Qualifier("audit") MongoOperations audit) {
			this.template = template;
			this.audit = audit;
		}

		Order order(String customer) {
			Order order = this.template.insert(new Order(null, customer));
			this.audit.insert(new Entry(null, "order of " + customer));
			return order;
		}

		Order auditedLater(String customer) {
			return this.audit.insert(new Order(null, customer));
		}

	}

	@Document("orders")
	record Order(@Id @Nullable String id, String customer) {
	}

	@Document("entries")
	record Entry(@Id @Nullable Long id, String what) {
	}

}

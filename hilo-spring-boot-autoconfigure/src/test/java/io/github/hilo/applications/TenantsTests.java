package io.github.hilo.applications;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoResync;
import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shop with a database for each tenant, as {@code docs/configuring.md} shows.
 */
class TenantsTests {

	private final ApplicationDatabase north = new ApplicationDatabase();

	private final ApplicationDatabase south = new ApplicationDatabase();

	@AfterEach
	void leaveTenant() {
		Tenants.CURRENT.remove();
	}

	@Test
	void eachTenantHasCountersOfItsOwn() {
		this.north.collection("orders").insertOne(new org.bson.Document("_id", "orders/41-A"));
		this.north.contextRunner().withUserConfiguration(Application.class).run((context) -> {
			prepare(context.getBean(HiLoResync.class), context.getBean(HiLoIdGenerator.class), this.north.name());
			MongoTemplate template = context.getBean(MongoTemplate.class);
			Tenants.CURRENT.set(this.south.name());
			assertThat(template.insert(new Order(null)).id()).isEqualTo("orders/1-A");
			Tenants.CURRENT.set(this.north.name());
			assertThat(template.insert(new Order(null)).id()).as("42 went to the range").isEqualTo("orders/43-A");
		});
		assertThat(this.north.ids("orders")).containsExactly("orders/41-A", "orders/43-A");
		assertThat(this.south.ids("orders")).containsExactly("orders/1-A");
	}

	private static void prepare(HiLoResync resync, HiLoIdGenerator generator, String tenant) {
		resync.forDatabase(tenant).resyncCollection("orders");
		generator.forDatabase(tenant).nextId("orders");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		MongoClient mongoClient(@Value("${spring.mongodb.uri}") String uri) {
			return MongoClients.create(uri);
		}

		@Bean
		MongoDatabaseFactory mongoDatabaseFactory(MongoClient client) {
			return new SimpleMongoClientDatabaseFactory(client, "shop") {
				@Override
				public MongoDatabase getMongoDatabase() {
					return getMongoDatabase(Tenants.current());
				}
			};
		}

	}

	static final class Tenants {

		static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

		private Tenants() {
		}

		static String current() {
			return CURRENT.get();
		}

	}

	@Document("orders")
	record Order(@Id @Nullable String id) {
	}

}

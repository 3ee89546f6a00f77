package io.github.hilo.applications;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.internal.MongoClientImpl;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Order;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.engine.HiLoEngine;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoProperties;
import org.springframework.boot.mongodb.autoconfigure.StandardMongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shop with a database for each tenant, as {@code docs/configuring.md} shows.
 */
@Thorough
class TenantsTests {

	private final ApplicationDatabase north = new ApplicationDatabase();

	private final ApplicationDatabase south = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.north.contextRunner()
		.withUserConfiguration(Application.class);

	@Test
	void eachTenantHasCountersOfItsOwn() {
		this.application.run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			HiLoEngine engine = context.getBean(HiLoEngine.class);
			HiLoIdGenerator generator = engine.generator();
			HiLoSequence orders = generator.sequence("orders");
			prepare(generator, this.south.name());
			for (ApplicationDatabase tenant : List.of(this.north, this.south, this.north)) {
				in(tenant, () -> template.insert(new Order(null)));
			}
			assertThat(in(this.north, orders::nextId)).isEqualTo(3);
			assertThat(in(this.south, orders::nextId)).isEqualTo(3);
			assertThat(in(this.north, () -> generator.forDatabase(this.south.name()).nextId("orders"))).isEqualTo(4);
			assertThat(in(this.south, () -> generator.nextId(Order.class))).isEqualTo(5);
			assertThat(CompletableFuture.supplyAsync(() -> in(this.north, () -> generator.nextId("orders"))))
				.succeedsWithin(Duration.ofSeconds(10))
				.isEqualTo(4L);
			assertThat(engine.snapshot()).containsOnlyKeys(this.north.name(), this.south.name());
			assertThat(List.of(this.north, this.south))
				.allSatisfy((tenant) -> assertThat(tenant.counters()).containsExactly("Raven/HiLo/orders"));
			assertThat(this.north.ids("orders")).containsExactly("orders/1-A", "orders/2-A");
			assertThat(this.south.ids("orders")).containsExactly("orders/2-A");
		});
	}

	@Test
	void clientHasTheSettingsOfSpringBoot() {
		this.application
			.withPropertyValues("spring.mongodb.representation.uuid=standard", "spring.mongodb.ssl.enabled=true")
			.withBean(MongoClientSettingsBuilderCustomizer.class, () -> (settings) -> settings.applicationName("shop"))
			.run((context) -> {
				MongoClientSettings settings = ((MongoClientImpl) context.getBean(MongoClient.class)).getSettings();
				assertThat(settings.getUuidRepresentation()).isEqualTo(UuidRepresentation.STANDARD);
				assertThat(settings.getSslSettings().isEnabled()).isTrue();
				assertThat(settings.getApplicationName()).isEqualTo("shop");
			});
	}

	@Test
	void reactiveTenantComesFromTheContext() {
		ReactiveApplications.withReactiveDriver(this.north.connectionProperties())
			.withUserConfiguration(ReactiveApplication.class)
			.run((context) -> {
				ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
				for (ApplicationDatabase tenant : List.of(this.north, this.south)) {
					Mono<Order> saved = template.insert(new Order(null))
						.contextWrite(Context.of("tenant", tenant.name()));
					assertThat(saved.map((order) -> String.valueOf(order.id())).block(Duration.ofSeconds(30)))
						.isEqualTo("orders/1-A");
					assertThat(tenant.ids("orders")).containsExactly("orders/1-A");
				}
			});
	}

	/**
	 * So its name cannot depend on a tenant, and no call pays for it.
	 */
	@Test
	void namingStrategyIsAskedOnceForATypeAndACollection() {
		List<String> asked = new CopyOnWriteArrayList<>();
		this.application.withBean(HiLoNamingStrategy.class, () -> (type, collection) -> {
			asked.add(collection);
			return collection;
		}).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (ApplicationDatabase tenant : List.of(this.north, this.south, this.north)) {
				in(tenant, () -> generator.nextDocumentId(Order.class));
				in(tenant, () -> template.insert(new Order(null)));
				in(tenant, () -> template.insert(new Order(null), "archive"));
			}
			assertThat(asked).containsOnlyOnce("orders", "archive");
		});
	}

	private static <T extends @Nullable Object> T in(ApplicationDatabase tenant, Supplier<T> action) {
		Tenants.CURRENT.set(tenant.name());
		try {
			return action.get();
		}
		finally {
			Tenants.CURRENT.remove();
		}
	}

	private static void prepare(HiLoIdGenerator generator, String tenant) {
		generator.forDatabase(tenant).nextId("orders");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		MongoClient mongoClient(MongoProperties properties, MongoConnectionDetails connection,
				ObjectProvider<MongoClientSettingsBuilderCustomizer> customizers) {
			MongoClientSettings.Builder settings = MongoClientSettings.builder();
			new StandardMongoClientSettingsBuilderCustomizer(connection, properties.getRepresentation().getUuid())
				.customize(settings);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(settings));
			return MongoClients.create(settings.build());
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

	@Configuration(proxyBeanMethods = false)
	static class ReactiveApplication {

		@Bean
		ReactiveMongoDatabaseFactory tenants(com.mongodb.reactivestreams.client.MongoClient client) {
			return new SimpleReactiveMongoDatabaseFactory(client, "shop") {
				@Override
				public Mono<com.mongodb.reactivestreams.client.MongoDatabase> getMongoDatabase() {
					return Mono.deferContextual((context) -> getMongoDatabase(context.get("tenant")));
				}
			};
		}

	}

	@Document("parcels")
	record Parcel(@Id @Nullable Long id) {
	}

	static final class Tenants {

		static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

		private Tenants() {
		}

		static String current() {
			return CURRENT.get();
		}

	}

}

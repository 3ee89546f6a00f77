package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.data.mongodb.core.FindAndModifyOptions.options;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

/**
 * Runs code of {@code docs/configuring.md}, {@code saving.md}, {@code operating.md},
 * {@code ordering.md} and {@code migrating.md}.
 */
class GuideCodeTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Test
	void beansNameTheSequenceAndReadTheId() {
		TestApplications.run(this.database.contextRunner().withUserConfiguration(Beans.class), (app) -> {
			assertThat(app.template().insert(new Order(null, "Ada")).id()).isEqualTo("eu/orders/1-A");
			assertThat(app.bean(AuditTrail.class).ids()).containsExactly("eu/orders/1-A");
		});
	}

	@Test
	void upsertThatInsertsHasTheIdOfItsUpdate() {
		this.applications.run((app) -> {
			visit(app.template(), app.generator());
			visit(app.template(), app.generator());
		});
		assertThat(this.database.collection("visitors").find().first()).isEqualTo(
				new org.bson.Document("_id", "visitors/1-A").append("email", "ada@example.com").append("visits", 2));
	}

	@Test
	void numbersOfACounterDocumentFollowEachOther() {
		this.applications.run((app) -> {
			Invoices invoices = new Invoices(app.template());
			assertThat(invoices.store(new Invoice(null, 0)).number()).isEqualTo(1);
			assertThat(invoices.store(new Invoice(null, 0)).number()).isEqualTo(2);
		});
	}

	@Test
	void blocksAndRaises() {
		HiLoIdGenerator generator = new InMemoryHiLoIdGenerator();
		generator.ensureAtLeast("orders", 1041);
		long max = generator.ensureAtLeast("orders", 5000);
		generator.forDatabase("audit").ensureAtLeast("orders", 5000);
		assertThat(max).isEqualTo(5000);
		List<String> ids = generator.nextDocumentIds(Order.class, 10_000);
		long[] numbers = generator.nextIds("invoices", 10_000);
		assertThat(ids).startsWith("orders/5001-A").hasSize(10_000);
		assertThat(numbers).startsWith(1).hasSize(10_000);
	}

	private static void visit(MongoTemplate template, HiLoIdGenerator generator) {
		template.upsert(query(where("email").is("ada@example.com")),
				new Update().inc("visits", 1).setOnInsert("_id", generator.nextDocumentId(Visitor.class)),
				Visitor.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		HiLoNamingStrategy naming() {
			return (type, collection) -> "eu/" + collection;
		}

		@Bean
		AuditTrail trail() {
			return new AuditTrail(new ArrayList<>());
		}

		@Bean
		BeforeSaveCallback<Order> auditTrail(AuditTrail trail) {
			return (order, document, collection) -> {
				trail.add(order.id());
				return order;
			};
		}

	}

	record AuditTrail(List<@Nullable String> ids) {

		void add(@Nullable String id) {
			this.ids.add(id);
		}

	}

	@NullUnmarked
	static class Invoices {

		private final MongoTemplate template;

		Invoices(MongoTemplate template) {
			this.template = template;
		}

		@Transactional
		Invoice store(Invoice draft) {
			Counter counter = this.template.findAndModify(query(where("_id").is("invoices")),
					new Update().inc("last", 1), options().returnNew(true).upsert(true), Counter.class);
			return this.template.insert(draft.withNumber(counter.last()));
		}

	}

	@Document("orders")
	record Order(@Nullable String id, String customer) {
	}

	@Document("visitors")
	record Visitor(@Nullable String id, String email, int visits) {
	}

	@Document("invoices")
	record Invoice(@Id @Nullable String id, long number) {

		Invoice withNumber(long number) {
			return new Invoice(this.id, number);
		}

	}

	@Document("counters")
	record Counter(@Id String id, long last) {
	}

}

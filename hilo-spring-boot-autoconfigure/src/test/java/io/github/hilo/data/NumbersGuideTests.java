package io.github.hilo.data;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestApplications;
import org.bson.types.ObjectId;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoManagedTypes;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.index.CompoundIndex;
import org.springframework.data.mongodb.core.index.IndexResolver;
import org.springframework.data.mongodb.core.index.Indexed;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.data.mongodb.core.FindAndModifyOptions.options;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

/**
 * Runs the code of {@code docs/numbers.md}.
 */
@NullUnmarked
class NumbersGuideTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Test
	void codeDoesWhatThePageSays() {
		TestApplications.run(this.database.contextRunner().withUserConfiguration(Numbering.class), (app) -> {
			MongoTemplate template = app.template();
			HiLoIdGenerator generator = app.generator();
			MongoRepositoryFactory repositories = new MongoRepositoryFactory(template);
			repositories.setBeanClassLoader(Customers.class.getClassLoader());
			Customers customers = repositories.getRepository(Customers.class);
			customers.save(new Customer(null, null, "Ada"));
			assertThat(customers.findAll()).extracting(Customer::number).containsExactly(1L);
			assertThat(generator.nextId("customers.number")).isEqualTo(2);
			assertThat(template.insert(new Issue(null, null))).isEqualTo(new Issue("issues/1-A", 10000L));
			assertThat(generator.nextId("tickets")).isEqualTo(10001);
			assertThat(
					Stream.of(2026, 2026, 2027).map((year) -> template.insert(new Invoice(null, year, null)).label()))
				.containsExactly("INV-2026-0001", "INV-2026-0002", "INV-2027-0001");
			template.save(template.findAll(Invoice.class).get(0));
			assertThat(template.findAll(Invoice.class)).extracting(Invoice::label)
				.startsWith("INV-2026-0001")
				.hasSize(3);
		}, "hilo.sequences[tickets].initial-value=10000");
	}

	@Test
	void twoProcessesNumberEachYearInOneOrder() {
		ApplicationContextRunner process = this.database.contextRunner()
			.withUserConfiguration(Numbering.class)
			.withPropertyValues("hilo.sequences[invoices-*].consecutive=true");
		process.run((one) -> process.run((other) -> assertThat(Stream.of(one, other, one, other)
			.flatMap((context) -> Stream.of(2026, 2027)
				.map((year) -> context.getBean(MongoTemplate.class).insert(new Invoice(null, year, null)).label())))
			.containsExactly("INV-2026-0001", "INV-2027-0001", "INV-2026-0002", "INV-2027-0002", "INV-2026-0003",
					"INV-2027-0003", "INV-2026-0004", "INV-2027-0004")));
	}

	@Test
	void counterOfEachYearHasNoGaps() {
		this.applications.run((app) -> {
			Invoices invoices = new Invoices(app.template());
			assertThat(Stream.of(2026, 2026, 2027).map((year) -> invoices.store(new Invoice(null, year, null)).label()))
				.containsExactly("INV-2026-0001", "INV-2026-0002", "INV-2027-0001");
		});
	}

	@Test
	void indexIsCreatedForEachTenantAndNotAtTheStart() {
		ApplicationContextRunner tenants = this.database.contextRunner()
			.withBean(MongoDatabaseFactory.class, TenantFactory::new)
			.withBean(MongoManagedTypes.class, () -> MongoManagedTypes.from(Customer.class));
		tenants.withPropertyValues("spring.data.mongodb.auto-index-creation=true")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessage("There is no tenant"));
		tenants.run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (ApplicationDatabase tenant : List.of(this.database, this.applications.newDatabase())) {
				TenantFactory.CURRENT.set(tenant.name());
				try {
					IndexResolver.create(template.getConverter().getMappingContext())
						.resolveIndexFor(Customer.class)
						.forEach(template.indexOps(Customer.class)::createIndex);
				}
				finally {
					TenantFactory.CURRENT.remove();
				}
				assertThat(tenant.collection("customers").listIndexes()).extracting((index) -> index.get("key"))
					.contains(new org.bson.Document("number", 1));
			}
		});
	}

	interface Customers extends MongoRepository<Customer, ObjectId> {

	}

	@Document("customers")
	record Customer(@Id ObjectId id, @HiLo @Indexed(unique = true) Long number, String name) {
	}

	@Document("issues")
	record Issue(@Id String id, @HiLo("tickets") Long ticket) {
	}

	static class TenantFactory extends SimpleMongoClientDatabaseFactory {

		static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

		TenantFactory() {
			super(MongoTestServer.client(), "none");
		}

		@Override
		public MongoDatabase getMongoDatabase() {
			String tenant = CURRENT.get();
			if (tenant == null) {
				throw new IllegalStateException("There is no tenant");
			}
			return getMongoDatabase(tenant);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Numbering {

		@Bean
		BeforeConvertCallback<Invoice> invoiceNumbers(HiLoIdGenerator ids) {
			return (invoice, collection) -> (invoice.number() != null) ? invoice
					: invoice.withNumber(ids.nextId("invoices-" + invoice.year()));
		}

	}

	static class Invoices {

		private final MongoTemplate template;

		Invoices(MongoTemplate template) {
			this.template = template;
		}

		@Transactional
		Invoice store(Invoice draft) {
			Counter counter = this.template.findAndModify(query(where("_id").is("invoices-" + draft.year())),
					new Update().inc("last", 1), options().returnNew(true).upsert(true), Counter.class);
			return this.template.insert(draft.withNumber(counter.last()));
		}

	}

	@HiLo(enabled = false)
	@Document("counters")
	record Counter(@Id String id, long last) {
	}

	@Document("invoices")
	@CompoundIndex(def = "{year: 1, number: 1}", unique = true)
	record Invoice(@Id String id, int year, Long number) {

		Invoice withNumber(Long number) {
			return new Invoice(this.id, this.year, number);
		}

		String label() {
			return String.format(Locale.ROOT, "INV-%d-%04d", this.year, this.number);
		}

	}

}

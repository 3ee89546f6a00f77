package io.github.hilo.data;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.Order;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.RecordedCommands;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.WireFault;
import org.assertj.core.api.ThrowingConsumer;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoTransactionManager;
import org.springframework.data.mongodb.core.MongoExceptionTranslator;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a driver that has transactions sends while an application is in one: the document
 * goes with the transaction, the reservation without. And which ways into a session give
 * ids, as {@code docs/saving.md} says.
 */
class TransactionOnTheWireTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private FakePrimary primary;

	@BeforeEach
	void startPrimary() throws IOException {
		this.primary = new FakePrimary();
	}

	@AfterEach
	void stopPrimary() throws IOException {
		this.primary.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "commitTransaction", "abortTransaction" })
	void reservationInATransactionIsNoPartOfItAndSurvivesItsRollback(String end) {
		run((app) -> {
			MongoTemplate template = app.template();
			Order order = app.bean(TransactionTemplate.class).execute((status) -> {
				if (end.equals("abortTransaction")) {
					status.setRollbackOnly();
				}
				return template.insert(new Order(null));
			});
			assertThat(order).isEqualTo(new Order("orders/1-A"));
			assertThat(this.primary.max("orders")).isEqualTo(32);
			assertThat(template.insert(new Order(null))).isEqualTo(new Order("orders/2-A"));
		});
		assertThat(names()).containsExactly("reserve", "find", "aggregate", "create", "find", "insert", end, "insert",
				"return");
		assertThat(this.primary.commands("insert").get(0)).containsKeys("startTransaction", "autocommit", "lsid");
		assertOutsideOfTheTransaction(this.primary.commands("reserve"));
		assertThat(Stream.of("find", "aggregate").flatMap((name) -> this.primary.commands(name).stream())).hasSize(3)
			.allSatisfy((read) -> assertThat(read).doesNotContainKeys("autocommit", "txnNumber")
				.containsEntry("readConcern", BsonDocument.parse("{level: 'local'}")));
	}

	@Test
	void reservationAndReturnAfterTheFirstWriteOfATransactionAreNoPartOfItEither() {
		run((app) -> {
			MongoTemplate template = app.template();
			HiLoIdGenerator generator = app.generator();
			app.bean(TransactionTemplate.class).executeWithoutResult((status) -> {
				template.insert(new Order("given"));
				assertThat(generator.nextId("orders")).isEqualTo(1);
				generator.release();
				assertThat(generator.nextId("orders")).isEqualTo(2);
				template.insert(new Order("given, too"));
			});
		});
		// A caller without a place asks for numbers and for texts.
		assertThat(names()).containsExactly("insert", "reserve", "find", "aggregate", "create", "find", "find",
				"return", "reserve", "find", "find", "insert", "commitTransaction", "return");
		assertOutsideOfTheTransaction(whileInTransaction("reserve"));
		assertOutsideOfTheTransaction(whileInTransaction("create"));
		assertOutsideOfTheTransaction(whileInTransaction("return"));
	}

	@Test
	void reservationThatIsRepeatedInATransactionIsNoPartOfItEither() {
		run((app) -> {
			this.primary.failNext("reserve", WireFault.CUT_AFTER);
			MongoTemplate template = app.template();
			app.bean(TransactionTemplate.class).executeWithoutResult((status) -> template.insert(new Order(null)));
		});
		assertThat(names()).containsExactly("reserve", "reserve", "find", "aggregate", "create", "find", "insert",
				"commitTransaction", "return");
		assertOutsideOfTheTransaction(this.primary.commands("reserve"));
		assertThat(this.primary.max("orders")).isEqualTo(1);
	}

	@Test
	void transactionThatIsRepeatedTakesANewNumber() {
		this.primary.failNext("insert", WireFault.CUT_BEFORE);
		run((app) -> assertThat(app.bean(Orders.class).place()).isEqualTo(new Order("orders/2-A")));
		assertThat(inserted()).containsExactly(new BsonString("orders/1-A"), new BsonString("orders/2-A"));
		assertThat(this.primary.commands("insert")).allSatisfy((insert) -> assertThat(insert).containsKey("autocommit"))
			.extracting((insert) -> insert.get("txnNumber"))
			.doesNotHaveDuplicates();
		assertThat(this.primary.commands("commitTransaction")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "112, TransientTransactionError, true", "112, none, false", "11000, none, false" })
	void onlyWhatMayPassIsRepeated(int code, String label, boolean repeated) throws NoSuchMethodException {
		RuntimeException failure = new MongoExceptionTranslator()
			.translateExceptionIfPossible(new MongoCommandException(
					BsonDocument.parse("{ok: 0, code: %d, errorLabels: ['%s']}".formatted(code, label)),
					new ServerAddress()));
		Method method = Orders.class.getMethod("place");
		assertThat(new TransientFailures().shouldRetry(method, Objects.requireNonNull(failure))).isEqualTo(repeated);
		assertThat(new TransientFailures().shouldRetry(method, new HiLoUnavailableException("test"))).isTrue();
	}

	@Test
	void transactionOfAnOperatorGivesIds() {
		runReactive((app) -> TransactionalOperator
			.create(new ReactiveMongoTransactionManager(app.bean(ReactiveMongoDatabaseFactory.class)))
			.transactional(app.reactiveTemplate().insert(new Order(null)))
			.block(PATIENCE));
		assertThat(inserted()).containsExactly(new BsonString("orders/1-A"));
		assertThat(this.primary.commands("insert").get(0)).containsKey("autocommit");
		assertThat(this.primary.commands("commitTransaction")).hasSize(1);
		assertOutsideOfTheTransaction(this.primary.commands("reserve"));
	}

	@Test
	void copyForASessionGivesNoIdsWithoutCallbacksOfItsOwn() {
		run((app) -> {
			try (ClientSession session = app.bean(MongoClient.class).startSession()) {
				MongoTemplate copy = app.template().withSession(session);
				assertThat(copy.insert(new Order(null)).id()).matches("[0-9a-f]{24}");
				assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
					.isThrownBy(() -> copy.insert(new Invoice(null)));
				copy.insert(new Ticket(0));
				assertThat(inserted()).extracting(BsonValue::getBsonType)
					.containsExactly(BsonType.OBJECT_ID, BsonType.INT64);
				assertThat(inserted()).last().isEqualTo(new BsonInt64(0));
				copy.setEntityCallbacks(EntityCallbacks.create(app.context()));
				assertThat(copy.insert(new Order(null))).isEqualTo(new Order("orders/1-A"));
			}
		});
	}

	@Test
	void reactiveCopyForASessionGivesNoIdsEither() {
		runReactive((app) -> {
			ReactiveMongoTemplate template = app.reactiveTemplate();
			Flux<Order> orders = template.withSession(ClientSessionOptions.builder().build())
				.execute((copy) -> copy.insert(new Order(null)), com.mongodb.session.ClientSession::close);
			assertThat(orders.blockLast(PATIENCE)).extracting(Order::id).asString().matches("[0-9a-f]{24}");
		});
	}

	private void run(ThrowingConsumer<TestApplication> test) {
		TestApplications.run(this.primary.contextRunner().withUserConfiguration(TransactionConfiguration.class), test);
	}

	private void runReactive(ThrowingConsumer<TestApplication> test) {
		TestApplications.run(ReactiveApplications.withReactiveDriver(this.primary.connectionProperties()), test);
	}

	/**
	 * The ids of the documents, in the order of the commands.
	 */
	private List<BsonValue> inserted() {
		return this.primary.commands("insert")
			.stream()
			.map((insert) -> insert.getArray("documents").get(0).asDocument().get("_id"))
			.toList();
	}

	/**
	 * The names of the commands, without the driver's clean-up at the end.
	 */
	private List<String> names() {
		return this.primary.commands()
			.stream()
			.map(RecordedCommands::kind)
			.filter((name) -> !name.equals("endSessions"))
			.toList();
	}

	/**
	 * Checks commands that were sent before the transaction had ended; its session serves
	 * others afterwards.
	 */
	private void assertOutsideOfTheTransaction(List<BsonDocument> commands) {
		List<BsonValue> sessions = this.primary.commands("insert")
			.stream()
			.filter((insert) -> insert.containsKey("autocommit"))
			.map((insert) -> insert.get("lsid"))
			.toList();
		assertThat(sessions).as("sessions with a transaction").isNotEmpty();
		assertThat(commands).isNotEmpty()
			.allSatisfy((command) -> assertThat(command).containsKeys("lsid", "txnNumber", "writeConcern")
				.doesNotContainKeys("autocommit", "startTransaction"))
			.extracting((command) -> command.get("lsid"))
			.as("lsid")
			.doesNotContainAnyElementsOf(sessions);
	}

	private List<BsonDocument> whileInTransaction(String kind) {
		List<BsonDocument> commands = this.primary.commands();
		int end = Math.max(names().indexOf("commitTransaction"), names().indexOf("abortTransaction"));
		return commands.subList(0, end)
			.stream()
			.filter((command) -> RecordedCommands.kind(command).equals(kind))
			.toList();
	}

	@Document("invoices")
	record Invoice(@Nullable Long id) {
	}

	@Document("tickets")
	record Ticket(long id) {
	}

	static class Orders {

		private final MongoTemplate template;

		Orders(MongoTemplate template) {
			this.template = template;
		}

		@Retryable(predicate = TransientFailures.class)
		@Transactional
		public Order place() {
			return this.template.insert(new Order(null));
		}

	}

	static class TransientFailures implements MethodRetryPredicate {

		private final MongoExceptionTranslator exceptions = new MongoExceptionTranslator();

		@Override
		public boolean shouldRetry(Method method, Throwable failure) {
			return failure instanceof TransientDataAccessException
					|| (failure instanceof Exception exception && this.exceptions.isTransientFailure(exception));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	@EnableTransactionManagement
	@Import(Orders.class)
	static class TransactionConfiguration {

		@Bean
		MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
			return new MongoTransactionManager(factory);
		}

		@Bean
		TransactionTemplate transactionTemplate(MongoTransactionManager transactions) {
			return new TransactionTemplate(transactions);
		}

	}

}

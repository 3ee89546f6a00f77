package io.github.hilo.applications;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.DecoratedGenerator;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoClusterCapable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoExceptionTranslator;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.gridfs.GridFsOperations;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Applications of two clusters, with one name of a database on both: no document of one
 * is replaced because a number was reserved on the other.
 */
class ClustersTests {

	/**
	 * Which of the two clients factories lead to now.
	 */
	private static final AtomicInteger CURRENT = new AtomicInteger();

	private final ApplicationDatabase here = new ApplicationDatabase();

	private final MongoServer otherServer = new MongoServer(new MemoryBackend());

	private final MongoClient there = MongoClients.create(this.otherServer.bindAndGetConnectionString());

	private final List<MongoClient> clients = List.of(MongoTestServer.client(), this.there);

	private final ApplicationContextRunner application = this.here.contextRunner();

	@AfterEach
	void close() {
		CURRENT.set(0);
		this.there.close();
		this.otherServer.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource(names = { "DATABASE", "PROXIED", "NAMED_DATABASE", "BELOW_CLUSTER" })
	@ExtendWith(OutputCaptureExtension.class)
	void factoryThatDoesNotTellItsClusterIsRefusedBesideAnotherClient(Routing routing, CapturedOutput output) {
		storeThere(40);
		besideReporting(routing).run((context) -> {
			assertThat(output).containsOnlyOnce("will be refused. It is not known in which cluster the databases of ");
			MongoTemplate template = context.getBean(MongoTemplate.class);
			CURRENT.set(1);
			assertThatIllegalStateException().isThrownBy(() -> template.save(new Crate(null, "new")))
				.withMessageContainingAll("It is not known in which cluster", "reporting", "mongoClient",
						"Override getMongoCluster() of MongoClusterCapable in ");
			assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(HiLoEngine.class).generator().nextId("crates"));
			MongoTemplate reports = new MongoTemplate(this.there, this.here.name());
			context.getBeanFactory().autowireBean(reports);
			assertThat(reports.save(new Crate(null, "report")).id()).as("is certain").isEqualTo(41);
		});
		assertStoredThere(40);
	}

	/**
	 * The clients of such a factory are no beans, so it does not matter how many beans
	 * there are.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@ExtendWith(OutputCaptureExtension.class)
	void factoryWithoutTheMethodIsRefused(boolean besideAnotherClient, CapturedOutput output) {
		storeThere(40);
		(besideAnotherClient ? besideReporting(Routing.NOT_CAPABLE) : routed(Routing.NOT_CAPABLE)).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (int tenant = 0; tenant < 2; tenant++) {
				CURRENT.set(tenant);
				assertThatIllegalStateException().isThrownBy(() -> template.save(new Crate(null, "new")))
					.withMessageContainingAll("It is not known in which cluster", "Implement MongoClusterCapable in ",
							"returns the MongoClient of the current database itself");
			}
			assertThat(output).containsOnlyOnce("will be refused. It is not known in which cluster the databases of ");
		});
		assertStoredThere(40);
		assertThat(this.here.counters()).isEmpty();
	}

	@Test
	void factoryThatWrapsOneWithoutTheMethodCountsOnEachCluster() {
		storeThere(40);
		this.application
			.withBean(MongoDatabaseFactory.class,
					() -> new TenantFactory(Routing.NOT_CAPABLE.factory(this.clients, this.here.name()),
							() -> this.clients.get(CURRENT.get())))
			.run((context) -> {
				for (int i = 0; i < 20; i++) {
					CURRENT.set(i % 2);
					context.getBean(MongoTemplate.class).save(new Crate(null, "new"));
				}
			});
		assertStoredThere(40);
		assertThat(this.here.ids("crates")).hasSize(10);
		assertThat(idsThere()).hasSize(50);
	}

	/**
	 * As one does that needs a tenant, and whose database falls back to a shared one.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void factoryThatTellsItsClusterNowAndThenIsRefusedMeanwhile(boolean toldFirst) {
		storeThere(40);
		routed(Routing.CLUSTER_OF_A_TENANT).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (int i = 0; i < 2; i++) {
				CURRENT.set(((i == 0) == toldFirst) ? 1 : 0);
				if (CURRENT.get() == 1) {
					assertThat(template.save(new Crate(null, "new")).id()).isEqualTo(41);
				}
				else {
					assertThatIllegalStateException().isThrownBy(() -> template.save(new Crate(null, "new")))
						.withMessage("no tenant");
				}
			}
		});
		assertStoredThere(40);
		assertThat(this.here.counters()).isEmpty();
	}

	@Test
	void factoryThatDoesNotReturnTheClientItselfIsRefused() {
		routed(Routing.CLUSTER_WITH_A_TIMEOUT).run((context) -> assertThatIllegalStateException()
			.isThrownBy(() -> context.getBean(MongoTemplate.class).save(new Crate(null, "new")))
			.withMessageContainingAll("getMongoCluster() returned class com.mongodb.", "the MongoClient", "itself"));
	}

	@ParameterizedTest
	@EnumSource(names = { "CLUSTER", "CLUSTER_PROXIED" })
	@ExtendWith(OutputCaptureExtension.class)
	void factoryThatTellsItsClusterCountsOnEach(Routing routing, CapturedOutput output) {
		storeThere(40);
		besideReporting(routing).run((context) -> {
			assertThat(output).doesNotContain("in which cluster");
			MongoTemplate template = context.getBean(MongoTemplate.class);
			for (int i = 0; i < 50; i++) {
				CURRENT.set(i % 2);
				template.save(new Crate(null, "new"));
			}
			assertThat(context.getBean(HiLoEngine.class).snapshot()).hasSize(2);
		});
		assertStoredThere(40);
		assertThat(this.here.ids("crates")).hasSize(25);
		assertThat(idsThere()).hasSize(65);
	}

	@ParameterizedTest
	@EnumSource
	void clientOfAnotherClusterIsCountedOnItsOwn(Replacement replacement) {
		storeThere(50);
		MongoClient[] client = { MongoTestServer.client() };
		this.application.withBean(MongoDatabaseFactory.class, () -> replacement.factory(client, this.here.name()))
			.run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				template.save(new Crate(null, "new"));
				client[0] = this.there;
				for (int i = 0; i < 10; i++) {
					template.save(new Crate(null, "new"));
				}
				assertStoredThere(50);
				client[0] = MongoTestServer.client();
				assertThat(template.save(new Crate(null, "new")).id()).as("its range is still there").isEqualTo(2);
			});
		assertStoredThere(50);
	}

	/**
	 * Its replacement is asked as long as it leads to the same cluster.
	 */
	@ParameterizedTest
	@EnumSource
	void clientOfTheSameClusterGoesOn(Replacement replacement) {
		MongoClient closed = MongoClients.create(MongoTestServer.uri());
		MongoClient[] client = { closed };
		this.application.withBean(MongoDatabaseFactory.class, () -> replacement.factory(client, this.here.name()))
			.run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				template.save(new Crate(null, "new"));
				client[0] = MongoTestServer.client();
				closed.close();
				Set<Long> ids = new HashSet<>();
				for (int i = 0; i < 100; i++) {
					ids.add(template.save(new Crate(null, "new")).id());
				}
				assertThat(ids).hasSize(100).contains(2L, 101L);
				assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.here.name());
			});
	}

	/**
	 * The second client leaves out the name of the replica set, and lists another host.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void idThatIsChosenThroughASecondClientOfTheClusterIsNotIssued(boolean reactive) throws IOException {
		try (FakePrimary primary = new FakePrimary()) {
			String hosts = "mongodb://127.0.0.1:1," + new ConnectionString(primary.uri()).getHosts().get(0);
			if (reactive) {
				ReactiveApplications.withReactiveDriver(primary.connectionProperties()).run((context) -> {
					ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
					try (var client = com.mongodb.reactivestreams.client.MongoClients.create(hosts)) {
						ReactiveMongoTemplate second = new ReactiveMongoTemplate(client, FakePrimary.DATABASE);
						context.getBeanFactory().autowireBean(second);
						template.insert(new Crate(null, "new")).block();
						second.insert(new Crate(2L, "own")).block();
						assertThat(Objects.requireNonNull(template.insert(new Crate(null, "new")).block()).id())
							.isEqualTo(3);
					}
				});
				return;
			}
			primary.contextRunner().run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				try (MongoClient client = MongoClients.create(hosts)) {
					MongoTemplate second = new MongoTemplate(client, FakePrimary.DATABASE);
					context.getBeanFactory().autowireBean(second);
					template.insert(new Crate(null, "new"));
					second.insert(new Crate(2L, "own"));
					assertThat(template.insert(new Crate(null, "new")).id()).isEqualTo(3);
				}
			});
		}
	}

	@Test
	void reactiveFactoryThatDoesNotTellItsClusterIsRefusedBesideAnotherClient() {
		storeThere(40);
		ReactiveApplications.withReactiveDriver(this.here.connectionProperties())
			.withBean("reporting", com.mongodb.reactivestreams.client.MongoClient.class, this::reactiveThere)
			.withBean("mongo", com.mongodb.reactivestreams.client.MongoClient.class, ClustersTests::reactiveHere)
			.withBean(ReactiveMongoDatabaseFactory.class, () -> new ReactiveRouter(reactiveClients(), this.here.name()))
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(ReactiveMongoTemplate.class).save(new Crate(null, "new")).block())
				.withMessageContainingAll("It is not known in which cluster", ReactiveRouter.class.getName(),
						"reporting"));
	}

	/**
	 * An event loop may make the handle of a database: it asks no factory.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void reactiveFactoryThatTellsItsClusterCountsOnEach(boolean bothDrivers) {
		storeThere(40);
		String[] connection = this.here.connectionProperties();
		(bothDrivers ? ReactiveApplications.withBothDrivers(connection)
				: ReactiveApplications.withReactiveDriver(connection))
			.withBean(ReactiveMongoDatabaseFactory.class,
					() -> new TellingReactiveRouter(reactiveClients(), this.here.name()))
			.run((context) -> {
				ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
				for (int i = 0; i < 20; i++) {
					CURRENT.set(i % 2);
					template.save(new Crate(null, "new")).block();
				}
				ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class);
				assertThat(generator.nextId("crates").block()).isEqualTo(51);
				ReactiveHiLoIdGenerator named = Objects
					.requireNonNull(Mono.fromSupplier(() -> generator.forDatabase(this.here.name()))
						.subscribeOn(Schedulers.parallel())
						.block());
				assertThat(named.nextId("crates").block()).isEqualTo(52);
				CURRENT.set(0);
				assertThat(named.nextId("crates").block()).isEqualTo(11);
				named.release().block();
				assertThat(context.getBean(HiLoEngine.class).snapshot().values()).flatExtracting(Map::values)
					.extracting(SequenceSnapshot::issued, SequenceSnapshot::returned)
					.containsExactlyInAnyOrder(tuple(11L, 21L), tuple(12L, 0L));
			});
		assertStoredThere(40);
		assertThat(idsThere()).hasSize(50);
		assertThat(this.here.ids("crates")).hasSize(10);
	}

	@Test
	void oneNameOnTwoClustersIsTwoDatabases() {
		twoTemplates(this.here::template).run((context) -> {
			String name = this.here.name() + "@"
					+ this.there.getClusterDescription().getClusterSettings().getHosts().get(0);
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			assertThatIllegalArgumentException().isThrownBy(() -> generator.forDatabase(name))
				.withMessageContainingAll("'" + name + "'", "no template");
			context.getBean("there", MongoTemplate.class).save(new Crate(null, "new"));
			context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate(null, "new"));
			HiLoEngine engine = context.getBean(HiLoEngine.class);
			assertThat(engine.snapshot()).containsOnlyKeys(this.here.name(), name);
			assertThat(generator.forDatabase(name).nextId("crates")).isEqualTo(2);
			assertThat(engine.release(name, null)).isEmpty();
			assertThat(engine.snapshot().values()).flatExtracting(Map::values)
				.extracting(SequenceSnapshot::returned)
				.containsExactlyInAnyOrder(0L, 30L);
			assertThat(engine.requireDatabase(name)).isEqualTo(name);
		});
	}

	/**
	 * With one client, a factory that says nothing is one of that client.
	 */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void clusterThatIsMetBeforeTheDefaultIsKnownIsNotTakenForIt(CapturedOutput output) {
		storeThere(1);
		twoTemplates(() -> new MongoTemplate(Routing.DATABASE.factory(this.clients, this.here.name())))
			.run((context) -> {
				assertThat(context.getBean("there", MongoTemplate.class).save(new Crate(null, "new")).id())
					.isEqualTo(2);
				assertThat(context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate(null, "new")).id())
					.isEqualTo(1);
				assertThat(output).doesNotContain("in which cluster");
			});
	}

	private ApplicationContextRunner twoTemplates(Supplier<MongoTemplate> template) {
		return this.application.withBean("mongoTemplate", MongoTemplate.class, template)
			.withBean("there", MongoTemplate.class, () -> new MongoTemplate(this.there, this.here.name()))
			.withBean(GridFsOperations.class, () -> mock(GridFsOperations.class));
	}

	/**
	 * A generator of the application finds a database by its name, also if the factory
	 * chooses it.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void decoratedGeneratorIssuesIdsForATemplateOfAnotherCluster(boolean choosing) {
		storeThere(1);
		twoTemplates(this.here::template)
			.withBean("choosing", MongoTemplate.class,
					() -> new MongoTemplate(Routing.CLUSTER.factory(this.clients, this.here.name())))
			.withBean(BeanPostProcessor.class,
					() -> new DecoratedGenerator.Replacing(
							(generator) -> new DecoratedGenerator(generator, (ids) -> ids)))
			.run((context) -> {
				CURRENT.set(1);
				MongoTemplate template = context.getBean(choosing ? "choosing" : "there", MongoTemplate.class);
				assertThat(template.save(new Crate(null, "new")).id()).isEqualTo(2);
				assertThat(template.save(new Crate(null, "new")).id()).isEqualTo(3);
			});
	}

	private ApplicationContextRunner routed(Routing routing) {
		return this.application
			.withBean("mongoClient", MongoClient.class, MongoTestServer::client, ClustersTests::isPrimary)
			.withBean(MongoDatabaseFactory.class, () -> routing.factory(this.clients, this.here.name()));
	}

	private ApplicationContextRunner besideReporting(Routing routing) {
		return routed(routing).withBean("reporting", MongoClient.class, () -> this.there, ClustersTests::notDestroyed);
	}

	private static void isPrimary(BeanDefinition definition) {
		definition.setPrimary(true);
		notDestroyed(definition);
	}

	private static void notDestroyed(BeanDefinition definition) {
		((AbstractBeanDefinition) definition).setDestroyMethodName("");
	}

	private void storeThere(int count) {
		cratesThere().insertMany(LongStream.rangeClosed(1, count)
			.mapToObj((id) -> new org.bson.Document("_id", id).append("name", "stored"))
			.toList());
	}

	private void assertStoredThere(int count) {
		assertThat(cratesThere().countDocuments(new org.bson.Document("name", "stored"))).isEqualTo(count);
	}

	private List<Object> idsThere() {
		return cratesThere().find().map((crate) -> crate.get("_id")).into(new ArrayList<>());
	}

	private com.mongodb.client.MongoCollection<org.bson.Document> cratesThere() {
		return this.there.getDatabase(this.here.name()).getCollection("crates");
	}

	private List<com.mongodb.reactivestreams.client.MongoClient> reactiveClients() {
		return List.of(reactiveHere(), reactiveThere());
	}

	private static com.mongodb.reactivestreams.client.MongoClient reactiveHere() {
		return com.mongodb.reactivestreams.client.MongoClients.create(MongoTestServer.uri());
	}

	private com.mongodb.reactivestreams.client.MongoClient reactiveThere() {
		return com.mongodb.reactivestreams.client.MongoClients.create("mongodb:/" + this.otherServer.getLocalAddress());
	}

	@Document("crates")
	record Crate(@Id @Nullable Long id, String name) {
	}

	/**
	 * How a factory leads each caller to another client.
	 */
	enum Routing {

		/**
		 * Chooses in the method for the current database, and inherits the rest.
		 */
		DATABASE((clients, name) -> new SimpleMongoClientDatabaseFactory(clients.get(0), name) {

			@Override
			public MongoDatabase getMongoDatabase() {
				return clients.get(CURRENT.get()).getDatabase(name);
			}

		}),

		/**
		 * The same, behind a proxy of its interfaces.
		 */
		PROXIED((clients, name) -> proxied(DATABASE.factory(clients, name), false)),

		/**
		 * Chooses for each name, and inherits the rest.
		 */
		NAMED_DATABASE((clients, name) -> new SimpleMongoClientDatabaseFactory(clients.get(0), name) {

			@Override
			protected MongoDatabase doGetMongoDatabase(String database) {
				return clients.get(CURRENT.get()).getDatabase(database);
			}

		}),

		/**
		 * Tells the cluster of the second database alone.
		 */
		CLUSTER_OF_A_TENANT((clients, name) -> new TellingRouter(clients, name) {

			@Override
			public MongoClient getMongoCluster() {
				Assert.state(CURRENT.get() == 1, "no tenant");
				return super.getMongoCluster();
			}

		}),

		/**
		 * Tells what has no cluster of its own.
		 */
		CLUSTER_WITH_A_TIMEOUT((clients, name) -> {
			CapableFactory factory = mocked(CapableFactory.class, clients, name);
			given(factory.getMongoCluster()).willReturn(clients.get(0).withTimeout(1, TimeUnit.SECONDS));
			return factory;
		}),

		/**
		 * Chooses below a class that tells the cluster.
		 */
		BELOW_CLUSTER((clients, name) -> new TellingRouter(clients, name) {

			@Override
			public MongoDatabase getMongoDatabase() {
				return clients.get(CURRENT.get()).getDatabase(name);
			}

		}),

		/**
		 * Knows no cluster.
		 */
		NOT_CAPABLE((clients, name) -> mocked(MongoDatabaseFactory.class, clients, name)),

		/**
		 * Tells the cluster.
		 */
		CLUSTER(TellingRouter::new),

		/**
		 * The same, behind a proxy of its class.
		 */
		CLUSTER_PROXIED((clients, name) -> proxied(CLUSTER.factory(clients, name), true));

		@SuppressWarnings("ImmutableEnumChecker") // a function without state
		private final BiFunction<List<MongoClient>, String, MongoDatabaseFactory> factories;

		Routing(BiFunction<List<MongoClient>, String, MongoDatabaseFactory> factories) {
			this.factories = factories;
		}

		MongoDatabaseFactory factory(List<MongoClient> clients, String name) {
			return this.factories.apply(clients, name);
		}

		private static <F extends MongoDatabaseFactory> F mocked(Class<F> type, List<MongoClient> clients,
				String name) {
			F factory = mock(type);
			given(factory.getMongoDatabase()).willAnswer((call) -> clients.get(CURRENT.get()).getDatabase(name));
			given(factory.getExceptionTranslator()).willReturn(new MongoExceptionTranslator());
			given(factory.getCodecRegistry()).willReturn(MongoClientSettings.getDefaultCodecRegistry());
			return factory;
		}

		private static MongoDatabaseFactory proxied(MongoDatabaseFactory factory, boolean ofItsClass) {
			ProxyFactory proxy = new ProxyFactory(factory);
			proxy.setProxyTargetClass(ofItsClass);
			return (MongoDatabaseFactory) proxy.getProxy();
		}

	}

	interface CapableFactory extends MongoDatabaseFactory, MongoClusterCapable {

	}

	/**
	 * As the pages have it.
	 */
	record TenantFactory(MongoDatabaseFactory tenants,
			Supplier<MongoClient> current) implements MongoDatabaseFactory, MongoClusterCapable {

		@Override
		public MongoClient getMongoCluster() {
			return this.current.get();
		}

		@Override
		public MongoDatabase getMongoDatabase() {
			return this.tenants.getMongoDatabase();
		}

		@Override
		public MongoDatabase getMongoDatabase(String name) {
			return this.tenants.getMongoDatabase(name);
		}

		@Override
		public PersistenceExceptionTranslator getExceptionTranslator() {
			return this.tenants.getExceptionTranslator();
		}

		@Override
		public CodecRegistry getCodecRegistry() {
			return this.tenants.getCodecRegistry();
		}

		@Override
		public ClientSession getSession(ClientSessionOptions options) {
			return this.tenants.getSession(options);
		}

		@Override
		public MongoDatabaseFactory withSession(ClientSession session) {
			return this.tenants.withSession(session);
		}

	}

	static class TellingRouter extends SimpleMongoClientDatabaseFactory {

		private final List<MongoClient> clients;

		TellingRouter(List<MongoClient> clients, String name) {
			super(clients.get(0), name);
			this.clients = clients;
		}

		@Override
		protected MongoDatabase doGetMongoDatabase(String database) {
			return this.clients.get(CURRENT.get()).getDatabase(database);
		}

		@Override
		public MongoClient getMongoCluster() {
			return this.clients.get(CURRENT.get());
		}

	}

	/**
	 * How a client is replaced.
	 */
	enum Replacement {

		/**
		 * The client is a proxy.
		 */
		CLIENT((client, name) -> new SimpleMongoClientDatabaseFactory(
				ProxyFactory.getProxy(MongoClient.class, new Swapped(MongoClient.class, () -> client[0])), name)),

		/**
		 * The factory is a proxy.
		 */
		FACTORY((client, name) -> (MongoDatabaseFactory) ProxyFactory.getProxy(new Swapped(
				SimpleMongoClientDatabaseFactory.class, () -> new SimpleMongoClientDatabaseFactory(client[0], name))));

		@SuppressWarnings("ImmutableEnumChecker") // a function without state
		private final BiFunction<MongoClient[], String, MongoDatabaseFactory> factories;

		Replacement(BiFunction<MongoClient[], String, MongoDatabaseFactory> factories) {
			this.factories = factories;
		}

		MongoDatabaseFactory factory(MongoClient[] client, String name) {
			return this.factories.apply(client, name);
		}

	}

	/**
	 * What a proxy leads to now.
	 */
	record Swapped(Class<?> type, Supplier<Object> target) implements TargetSource {

		@Override
		public Class<?> getTargetClass() {
			return this.type;
		}

		@Override
		public Object getTarget() {
			return this.target.get();
		}

	}

	/**
	 * Chooses in the methods for databases, and inherits the rest.
	 */
	static class ReactiveRouter extends SimpleReactiveMongoDatabaseFactory {

		final List<com.mongodb.reactivestreams.client.MongoClient> clients;

		private final String name;

		ReactiveRouter(List<com.mongodb.reactivestreams.client.MongoClient> clients, String name) {
			super(clients.get(0), name);
			this.clients = clients;
			this.name = name;
		}

		@Override
		public Mono<com.mongodb.reactivestreams.client.MongoDatabase> getMongoDatabase() {
			return getMongoDatabase(this.name);
		}

		@Override
		public Mono<com.mongodb.reactivestreams.client.MongoDatabase> getMongoDatabase(String database) {
			return Mono.fromSupplier(() -> this.clients.get(CURRENT.get()).getDatabase(database));
		}

	}

	static class TellingReactiveRouter extends ReactiveRouter {

		TellingReactiveRouter(List<com.mongodb.reactivestreams.client.MongoClient> clients, String name) {
			super(clients, name);
		}

		@Override
		public com.mongodb.reactivestreams.client.MongoClient getMongoCluster() {
			return this.clients.get(CURRENT.get());
		}

	}

}

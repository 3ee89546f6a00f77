package io.github.hilo.applications;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.MockSettings;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoClusterCapable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Applications of two clusters, with one name of a database on both: no document of one
 * is replaced because a number was reserved on the other.
 */
class ClustersTests {

	private static final ThreadLocal<Integer> CURRENT = ThreadLocal.withInitial(() -> 0);

	private final ApplicationDatabase here = new ApplicationDatabase();

	private final MongoServer otherServer = new MongoServer(new MemoryBackend());

	private final MongoClient there = MongoClients.create(this.otherServer.bindAndGetConnectionString());

	private final List<MongoClient> clients = List.of(MongoTestServer.client(), this.there);

	private final AtomicInteger tenant = new AtomicInteger();

	private final ApplicationContextRunner application = this.here.contextRunner();

	@AfterEach
	void close() {
		CURRENT.remove();
		this.there.close();
		this.otherServer.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource(names = { "DATABASE", "PROXIED", "PROXIED_CLASS", "NAMED_DATABASE", "BELOW_CLUSTER", "NOT_CAPABLE" })
	void factoryThatDoesNotTellItsClusterIsRefusedBesideAnotherClient(Routing routing) {
		storeThere(40);
		besideReporting(routed(routing)).run((context) -> {
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

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void startSaysWhetherTheDefaultFactoryWillBeRefused(CapturedOutput output) {
		routed(Routing.DATABASE).run((context) -> assertThat(output).doesNotContain("in which cluster"));
		besideReporting(routed(Routing.CLUSTER))
			.run((context) -> assertThat(output).doesNotContain("in which cluster"));
		besideReporting(routed(Routing.DATABASE)).run((context) -> assertThat(output)
			.containsOnlyOnce("will be refused. It is not known in which cluster the databases of "
					+ ClustersTests.class.getName() + "$Routing$1"));
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
	@EnumSource(names = { "CLUSTER", "CLUSTER_PROXIED", "CLUSTER_PROXIED_CLASS" })
	void factoryThatTellsItsClusterCountsOnEach(Routing routing) {
		storeThere(40);
		for (boolean reporting : new boolean[] { false, true }) {
			ApplicationContextRunner routed = routed(routing);
			(reporting ? besideReporting(routed) : routed).run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				for (int i = 0; i < 50; i++) {
					CURRENT.set(i % 2);
					template.save(new Crate(null, "new"));
				}
				assertThat(context.getBean(HiLoEngine.class).snapshot()).hasSize(2);
			});
		}
		assertStoredThere(40);
		assertThat(this.here.ids("crates")).hasSize(50);
		assertThat(idsThere()).hasSize(90);
	}

	/**
	 * With one client, a factory that says nothing is one of that client.
	 */
	@Test
	void tenantFactoryOfOneClientCountsAsBefore() {
		this.application.withBean(MongoDatabaseFactory.class, () -> new TenantFactory(this.here.name()))
			.run((context) -> {
				assertThat(context.getBean(MongoTemplate.class).save(new Crate(null, "new")).id()).isEqualTo(1);
				assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.here.name());
			});
	}

	/**
	 * The line that the message names.
	 */
	@Test
	void tenantFactoryBesideAReportingClientNeedsOneLine() {
		besideReporting(this.application)
			.withBean("mongoClient", MongoClient.class, MongoTestServer::client, ClustersTests::isPrimary)
			.withBean(MongoDatabaseFactory.class, () -> new TenantFactory(this.here.name()) {

				@Override
				public MongoClient getMongoCluster() {
					return super.getMongoCluster();
				}

			})
			.run((context) -> assertThat(context.getBean(MongoTemplate.class).save(new Crate(null, "new")).id())
				.isEqualTo(1));
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

	@Test
	void reactiveFactoryThatDoesNotTellItsClusterIsRefusedBesideAnotherClient() {
		storeThere(40);
		ReactiveApplications.withReactiveDriver(this.here.connectionProperties())
			.withBean("reporting", com.mongodb.reactivestreams.client.MongoClient.class, this::reactiveThere)
			.withBean("mongo", com.mongodb.reactivestreams.client.MongoClient.class, ClustersTests::reactiveHere)
			.withBean(ReactiveMongoDatabaseFactory.class,
					() -> new ReactiveRouter(List.of(reactiveHere(), reactiveThere()), this.here.name()))
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(ReactiveMongoTemplate.class)
					.save(new Crate(null, "new"))
					.contextWrite(Context.of("tenant", 1))
					.block())
				.withMessageContainingAll("It is not known in which cluster", ReactiveRouter.class.getName(),
						"reporting"));
		assertStoredThere(40);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void reactiveFactoryThatTellsItsClusterCountsOnEach(boolean bothDrivers) {
		storeThere(40);
		String[] connection = this.here.connectionProperties();
		(bothDrivers ? ReactiveApplications.withBothDrivers(connection)
				: ReactiveApplications.withReactiveDriver(connection))
			.withBean(ReactiveMongoDatabaseFactory.class,
					() -> new TellingReactiveRouter(List.of(reactiveHere(), reactiveThere()), this.here.name(),
							this.tenant))
			.run((context) -> {
				ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
				for (int i = 0; i < 20; i++) {
					this.tenant.set(i % 2);
					template.save(new Crate(null, "new")).block();
				}
				assertThat(context.getBean(ReactiveHiLoIdGenerator.class).nextId("crates").block()).isEqualTo(51);
			});
		assertStoredThere(40);
		assertThat(idsThere()).hasSize(50);
		assertThat(this.here.ids("crates")).hasSize(10);
	}

	/**
	 * An event loop may make the handle: it asks no factory.
	 */
	@Test
	void reactiveHandleOfADatabaseCountsOnTheClusterOfEachCall() {
		storeThere(40);
		ReactiveApplications.withReactiveDriver(this.here.connectionProperties())
			.withBean(ReactiveMongoDatabaseFactory.class,
					() -> new TellingReactiveRouter(List.of(reactiveHere(), reactiveThere()), this.here.name(),
							this.tenant))
			.run((context) -> {
				ReactiveHiLoIdGenerator named = Mono
					.fromSupplier(() -> context.getBean(ReactiveHiLoIdGenerator.class).forDatabase(this.here.name()))
					.subscribeOn(Schedulers.parallel())
					.block();
				assertThat(named).isNotNull();
				this.tenant.set(1);
				assertThat(named.nextId("crates").block()).isEqualTo(41);
				this.tenant.set(0);
				assertThat(named.nextId("crates").block()).isEqualTo(1);
				this.tenant.set(1);
				named.release().block();
				assertThat(context.getBean(HiLoEngine.class).snapshot().values()).flatExtracting(Map::values)
					.extracting(SequenceSnapshot::issued, SequenceSnapshot::returned)
					.containsExactlyInAnyOrder(tuple(1L, 0L), tuple(1L, 31L));
			});
	}

	private ApplicationContextRunner routed(Routing routing) {
		return this.application
			.withBean("mongoClient", MongoClient.class, MongoTestServer::client, ClustersTests::isPrimary)
			.withBean(MongoDatabaseFactory.class, () -> routing.factory(this.clients, this.here.name()));
	}

	private ApplicationContextRunner besideReporting(ApplicationContextRunner application) {
		return application.withBean("reporting", MongoClient.class, () -> this.there, ClustersTests::notDestroyed);
	}

	private static void isPrimary(BeanDefinition definition) {
		definition.setPrimary(true);
		notDestroyed(definition);
	}

	private static void notDestroyed(BeanDefinition definition) {
		((AbstractBeanDefinition) definition).setDestroyMethodName("");
	}

	private void storeThere(int count) {
		storeThere(this.here, count);
	}

	private void storeThere(ApplicationDatabase database, int count) {
		this.there.getDatabase(database.name())
			.getCollection("crates")
			.insertMany(LongStream.rangeClosed(1, count)
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
		 * The same, behind a proxy of its class, which declares all methods.
		 */
		PROXIED_CLASS((clients, name) -> proxied(DATABASE.factory(clients, name), true)),

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
		CLUSTER_OF_A_TENANT((clients, name) -> new SimpleMongoClientDatabaseFactory(clients.get(0), name) {

			@Override
			public MongoDatabase getMongoDatabase() {
				return clients.get(CURRENT.get()).getDatabase(name);
			}

			@Override
			public MongoClient getMongoCluster() {
				Assert.state(CURRENT.get() == 1, "no tenant");
				return clients.get(1);
			}

		}),

		/**
		 * Tells what has no cluster of its own.
		 */
		CLUSTER_WITH_A_TIMEOUT((clients, name) -> {
			MongoDatabaseFactory factory = mocked(clients, name, MongoClusterCapable.class);
			given(((MongoClusterCapable) factory).getMongoCluster())
				.willReturn(clients.get(0).withTimeout(1, TimeUnit.SECONDS));
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
		NOT_CAPABLE(Routing::mocked),

		/**
		 * Tells the cluster.
		 */
		CLUSTER(TellingRouter::new),

		/**
		 * The same, behind a proxy of its interfaces.
		 */
		CLUSTER_PROXIED((clients, name) -> proxied(CLUSTER.factory(clients, name), false)),

		/**
		 * The same, behind a proxy of its class.
		 */
		CLUSTER_PROXIED_CLASS((clients, name) -> proxied(CLUSTER.factory(clients, name), true));

		@SuppressWarnings("ImmutableEnumChecker") // a function without state
		private final BiFunction<List<MongoClient>, String, MongoDatabaseFactory> factories;

		Routing(BiFunction<List<MongoClient>, String, MongoDatabaseFactory> factories) {
			this.factories = factories;
		}

		MongoDatabaseFactory factory(List<MongoClient> clients, String name) {
			return this.factories.apply(clients, name);
		}

		private static MongoDatabaseFactory mocked(List<MongoClient> clients, String name, Class<?>... interfaces) {
			SimpleMongoClientDatabaseFactory any = new SimpleMongoClientDatabaseFactory(clients.get(0), name);
			MockSettings settings = withSettings();
			MongoDatabaseFactory factory = mock(MongoDatabaseFactory.class,
					(interfaces.length > 0) ? settings.extraInterfaces(interfaces) : settings);
			given(factory.getMongoDatabase()).willAnswer((call) -> clients.get(CURRENT.get()).getDatabase(name));
			given(factory.getExceptionTranslator()).willReturn(any.getExceptionTranslator());
			given(factory.getCodecRegistry()).willReturn(any.getCodecRegistry());
			return factory;
		}

		private static MongoDatabaseFactory proxied(MongoDatabaseFactory factory, boolean ofItsClass) {
			ProxyFactory proxy = new ProxyFactory(factory);
			proxy.setProxyTargetClass(ofItsClass);
			return (MongoDatabaseFactory) proxy.getProxy();
		}

	}

	/**
	 * Resolves the database of one tenant, and inherits the rest.
	 */
	static class TenantFactory extends SimpleMongoClientDatabaseFactory {

		private final String tenant;

		TenantFactory(String tenant) {
			super(MongoTestServer.client(), "any");
			this.tenant = tenant;
		}

		@Override
		public MongoDatabase getMongoDatabase() {
			return getMongoDatabase(this.tenant);
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
			return getMongoCluster().getDatabase(database);
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
				SimpleMongoClientDatabaseFactory.class, () -> new SimpleMongoClientDatabaseFactory(client[0], name)))),

		/**
		 * The factory is one of the application's own.
		 */
		METHODS((client, name) -> new SimpleMongoClientDatabaseFactory(client[0], name) {

			@Override
			protected MongoDatabase doGetMongoDatabase(String database) {
				return client[0].getDatabase(database);
			}

			@Override
			public MongoClient getMongoCluster() {
				return client[0];
			}

		});

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
	 * Leads each subscriber to another client, and inherits the rest.
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
			return current().map((client) -> client.getDatabase(database));
		}

		Mono<com.mongodb.reactivestreams.client.MongoClient> current() {
			return Mono.deferContextual(
					(context) -> Mono.just(this.clients.get(context.<Integer>getOrEmpty("tenant").orElse(0))));
		}

	}

	static class TellingReactiveRouter extends ReactiveRouter {

		private final AtomicInteger tenant;

		TellingReactiveRouter(List<com.mongodb.reactivestreams.client.MongoClient> clients, String name,
				AtomicInteger tenant) {
			super(clients, name);
			this.tenant = tenant;
		}

		@Override
		Mono<com.mongodb.reactivestreams.client.MongoClient> current() {
			return Mono.fromSupplier(this::getMongoCluster);
		}

		@Override
		public com.mongodb.reactivestreams.client.MongoClient getMongoCluster() {
			return this.clients.get(this.tenant.get());
		}

	}

}

package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import com.mongodb.ClientSessionOptions;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.mongodb.Databases;
import io.github.hilo.mongodb.ToldCluster;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.mongodb.ReactiveMongoClusterCapable;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

/**
 * How templates of the reactive driver lead to databases, as {@link BlockingDatabases}
 * has it. A session comes first: it alone can depend on the subscriber.
 */
final class ReactiveDatabases {

	private static final ClientSessionOptions SESSION = ClientSessionOptions.builder().build();

	private final ConfigurableListableBeanFactory beans;

	private final DefaultFactory<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory> defaultFactory;

	private final Supplier<List<String>> clients;

	ReactiveDatabases(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
		this.defaultFactory = new DefaultFactory<>(beans, ReactiveMongoTemplate.class,
				ReactiveMongoTemplate::getMongoDatabaseFactory, ReactiveMongoDatabaseFactory.class,
				ReactiveDatabases::currentClientOf);
		this.clients = TellingMethods.clients(beans, MongoClient.class);
	}

	DefaultFactory<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory> defaultFactory() {
		return this.defaultFactory;
	}

	/**
	 * The default databases: without a default one, others are those of the only client.
	 * @param isAlone whether they are the default ones of the application, too; beside
	 * another driver, a cluster that cannot be told is not that one's
	 */
	Databases<Mono<MongoDatabase>, Mono<ToldCluster>> ofDefault(boolean isAlone) {
		DefaultFactory<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory> factory = this.defaultFactory;
		return new Databases<>(() -> factory.get().getMongoDatabase(),
				(name) -> factory.isThere() ? factory.get().getMongoDatabase(name)
						: Mono.just(this.beans.getBean(MongoClient.class).getDatabase(name)),
				() -> factory.isFixed(ReactiveDatabases::isSimple), () -> factory.isFixed(ReactiveDatabases::isFixed),
				() -> factory.isThere() ? clusterOf(factory.get()) : Mono.empty(),
				() -> (isAlone || !factory.isThere()) ? null : factory.get());
	}

	Databases<Mono<MongoDatabase>, Mono<ToldCluster>> of(ReactiveMongoDatabaseFactory factory) {
		return new Databases<>(factory::getMongoDatabase, factory::getMongoDatabase, () -> isSimple(factory),
				() -> isFixed(factory), () -> clusterOf(factory), () -> factory);
	}

	private static boolean isSimple(Object factory) {
		return factory.getClass() == SimpleReactiveMongoDatabaseFactory.class;
	}

	/**
	 * Whether a factory always leads to the same database of the same client.
	 */
	static boolean isFixed(Object factory) {
		return isSimple(factory)
				&& TellingMethods.isDriversOwn(currentClientOf((ReactiveMongoDatabaseFactory) factory));
	}

	private Mono<ToldCluster> clusterOf(ReactiveMongoDatabaseFactory factory) {
		TellingMethods methods = TellingMethods.of(factory);
		Mono<ToldCluster> nothing = Mono
			.fromRunnable(() -> TellingMethods.requireOneClient(factory, this.clients.get()));
		return Mono.defer(() -> methods.session() ? ofSession(factory) : Mono.empty())
			.map((client) -> told(client, true))
			.switchIfEmpty(ofCluster(factory).map((client) -> told(client, methods.isCertain(methods.cluster()))))
			.switchIfEmpty(ofSession(factory).map((client) -> told(client, methods.isCertain(false))))
			.flatMap((told) -> told.certain() ? Mono.just(told) : nothing.defaultIfEmpty(told))
			.switchIfEmpty(nothing);
	}

	private static ToldCluster told(MongoClient client, boolean certain) {
		return new ToldCluster(client.getClusterDescription().getClusterSettings(), certain);
	}

	/**
	 * Finds the client if a factory tells it at once.
	 */
	private static @Nullable MongoClient currentClientOf(ReactiveMongoDatabaseFactory factory) {
		return ofCluster(factory).switchIfEmpty(ofSession(factory)).toFuture().getNow(null);
	}

	private static Mono<MongoClient> ofCluster(ReactiveMongoDatabaseFactory factory) {
		return Mono
			.fromSupplier(
					() -> (TellingMethods.WITHOUT_SESSION && factory instanceof ReactiveMongoClusterCapable capable
							&& capable.getMongoCluster() instanceof MongoClient client) ? client : null)
			.onErrorComplete();
	}

	/**
	 * A session tells its client, and asks no server for anything until it is used.
	 */
	private static Mono<MongoClient> ofSession(ReactiveMongoDatabaseFactory factory) {
		return Mono.defer(() -> factory.getSession(SESSION)).onErrorComplete().mapNotNull((session) -> {
			session.close();
			return (session.getOriginator() instanceof MongoClient client) ? client : null;
		});
	}

}

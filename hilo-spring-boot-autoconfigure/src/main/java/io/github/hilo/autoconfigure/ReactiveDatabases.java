package io.github.hilo.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import com.mongodb.ClientSessionOptions;
import com.mongodb.connection.ClusterSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.internal.mongodb.Databases;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.util.ReflectionUtils;

/**
 * How templates of the reactive driver lead to databases, as {@link BlockingDatabases}
 * has it. A session comes first: it alone can depend on the subscriber.
 */
final class ReactiveDatabases {

	private static final @Nullable Method CLUSTER = TellingMethods.clusterMethod("ReactiveMongoClusterCapable");

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
	Databases<Mono<MongoDatabase>, Mono<ClusterSettings>> ofDefault(boolean isAlone) {
		DefaultFactory<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory> factory = this.defaultFactory;
		return new Databases<>(() -> factory.get().getMongoDatabase(),
				(name) -> factory.isThere() ? factory.get().getMongoDatabase(name)
						: Mono.just(this.beans.getBean(MongoClient.class).getDatabase(name)),
				() -> factory.isFixed(ReactiveDatabases::isSimple), () -> factory.isFixed(ReactiveDatabases::isFixed),
				() -> factory.isThere() ? clusterOf(factory.get()) : Mono.empty(), () -> isCertain(factory.get()),
				() -> (isAlone || !factory.isThere()) ? null : factory.get());
	}

	Databases<Mono<MongoDatabase>, Mono<ClusterSettings>> of(ReactiveMongoDatabaseFactory factory) {
		return new Databases<>(factory::getMongoDatabase, factory::getMongoDatabase, () -> isSimple(factory),
				() -> isFixed(factory), () -> clusterOf(factory), () -> isCertain(factory), () -> factory);
	}

	private static boolean isSimple(Object factory) {
		return factory.getClass() == SimpleReactiveMongoDatabaseFactory.class;
	}

	static boolean isFixed(Object factory) {
		return isSimple(factory) && TellingMethods.isDriversOwn(currentClientOf((ReactiveMongoDatabaseFactory) factory))
				&& (CLUSTER != null || !TellingMethods.holdsProxy(factory));
	}

	private Mono<ClusterSettings> clusterOf(ReactiveMongoDatabaseFactory factory) {
		Mono<MongoClient> nothing = Mono
			.fromRunnable(() -> TellingMethods.requireOneClient(factory, this.clients.get()));
		return (isCertain(factory) ? clientOf(factory) : nothing.switchIfEmpty(clientOf(factory)))
			.switchIfEmpty(nothing)
			.map((client) -> client.getClusterDescription().getClusterSettings());
	}

	private static boolean isCertain(ReactiveMongoDatabaseFactory factory) {
		TellingMethods methods = TellingMethods.of(factory);
		return methods.isCertain(clusterMethod(factory, methods) != null);
	}

	private static @Nullable Method clusterMethod(ReactiveMongoDatabaseFactory factory, TellingMethods methods) {
		return (CLUSTER != null && CLUSTER.getDeclaringClass().isInstance(factory) && !methods.session()) ? CLUSTER
				: null;
	}

	/**
	 * Finds the client if a factory tells it at once.
	 */
	private static @Nullable MongoClient currentClientOf(ReactiveMongoDatabaseFactory factory) {
		return clientOf(factory).toFuture().getNow(null);
	}

	private static Mono<MongoClient> clientOf(ReactiveMongoDatabaseFactory factory) {
		Method cluster = clusterMethod(factory, TellingMethods.of(factory));
		Mono<Object> told = (cluster != null) ? Mono.fromSupplier(() -> ReflectionUtils.invokeMethod(cluster, factory))
				: Mono.defer(() -> factory.getSession(SESSION)).mapNotNull((session) -> {
					session.close();
					return session.getOriginator();
				});
		return told.ofType(MongoClient.class).onErrorComplete();
	}

}

package io.github.hilo.data;

import java.util.Optional;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.Ordered;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * Gives an entity without an id one, and its properties with {@link HiLo} their numbers,
 * before it is saved by a reactive template or repository, exactly as
 * {@link HiLoBeforeConvertCallback} does for blocking ones, and without blocking a
 * thread.
 * <p>
 * Runs last, so that an id wins that the application's callbacks and listeners set. Code
 * that reads the id belongs in a {@code ReactiveBeforeSaveCallback}.
 * <p>
 * Ids are counted in the database of the template that saves. One that is no bean uses
 * the default database; so that it counts in its own, set a copy on it:
 * {@code template.setEntityCallbacks(ReactiveEntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 */
public final class ReactiveHiLoBeforeConvertCallback implements ReactiveBeforeConvertCallback<Object>, Ordered {

	private final Supplier<ReactiveHiLoIdGenerator> generator;

	private final IdAssignment assignment;

	private final @Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<String>> databases;

	/**
	 * Creates a callback.
	 * @param generator supplies the generator, always the same, when it is first needed:
	 * it may depend on beans that look for callbacks themselves
	 * @param assignment tells what an entity lacks
	 * @param databases names the databases that templates save to, or {@code null} if all
	 * ids are the generator's
	 */
	public ReactiveHiLoBeforeConvertCallback(Supplier<ReactiveHiLoIdGenerator> generator, IdAssignment assignment,
			@Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<String>> databases) {
		this.generator = generator;
		this.assignment = assignment;
		this.databases = databases;
	}

	/**
	 * Makes a callback like this one that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
		return new ReactiveHiLoBeforeConvertCallback(() -> generator, this.assignment, null);
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, String collection) {
		return Mono.defer(() -> {
			Mono<Object> assigned = Mono.just(entity);
			for (AssignableProperty property : this.assignment.propertiesOf(entity)) {
				assigned = assigned.flatMap((current) -> assigned(current, property, collection));
			}
			return assigned;
		});
	}

	private Mono<Object> assigned(Object entity, AssignableProperty property, String collection) {
		MissingValue missing = this.assignment.missing(entity, property, collection);
		return (missing != null) ? assigned(missing) : Mono.just(entity);
	}

	private Mono<Object> assigned(MissingValue missing) {
		return generator().flatMap((generator) -> {
			Mono<Object> assigned = Mono.defer(() -> assign(missing, generator));
			return missing.isLate() ? announced(missing, generator).then(assigned) : assigned;
		});
	}

	private Mono<ReactiveHiLoIdGenerator> generator() {
		ReactiveHiLoIdGenerator generator = this.generator.get();
		return (this.databases != null) ? ReactiveTemplateCallbacks.generator(generator, this.databases)
				: Mono.just(generator);
	}

	/**
	 * Returns the lowest precedence. Auditing must come first, because it takes an entity
	 * with an id for an old one. So must the application's own callbacks, which have this
	 * order unless they name another: with equal order, beans of the application come
	 * before those of auto-configurations.
	 * @return the order
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	/**
	 * Announces a field in the database of the ids, and leaves our own threads before
	 * anything else happens.
	 */
	private static Mono<Void> announced(MissingValue missing, ReactiveHiLoIdGenerator generator) {
		Mono<Optional<String>> database = (generator instanceof DefaultReactiveHiLoIdGenerator own)
				? own.store().map((store) -> Optional.of(store.database())) : Mono.just(Optional.empty());
		return database.flatMap((name) -> Mono.fromFuture(missing.announce(name.orElse(null))))
			.publishOn(Schedulers.parallel());
	}

	private static Mono<Object> assign(MissingValue missing, ReactiveHiLoIdGenerator generator) {
		Mono<?> value = missing.isNumeric() ? generator.nextId(missing.sequence())
				: generator.nextDocumentId(missing.sequence());
		return value.map(missing::assign);
	}

}

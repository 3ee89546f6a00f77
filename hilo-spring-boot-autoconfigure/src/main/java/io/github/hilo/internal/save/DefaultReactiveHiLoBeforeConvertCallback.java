package io.github.hilo.internal.save;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.internal.engine.ReactiveCalls;
import io.github.hilo.internal.mapping.ChosenValue;
import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeSaveCallback;

/**
 * Assigns ids when an entity is saved reactively. The callback finds what the entity
 * lacks and the database to which the template saves, takes ids that are free there, and
 * assigns them. Before a document is sent, the sequences learn its ids and numbers, and
 * never issue them, because the application may have chosen them. A template that is a
 * bean gets the second step from {@link ReactiveExcludingCallback}.
 * <p>
 * Thread-safe: {@code database} is volatile, and all other fields are final.
 */
public final class DefaultReactiveHiLoBeforeConvertCallback
		implements ReactiveHiLoBeforeConvertCallback, ReactiveBeforeSaveCallback<Object>, TemplateCallback {

	private final Supplier<ReactiveHiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable SaveTargets<ReactiveMongoDatabaseFactory, Mono<SaveTarget>> databases;

	private final @Nullable ReactiveCalls calls;

	private final Mono<RangeStore> defaultStore;

	private final @Nullable ReactiveMongoTemplate template;

	private final SaveSteps steps;

	// Where the template saves, once it is certain that this cannot change.
	private volatile @Nullable SaveTarget database;

	/**
	 * @param defaultStore resolves the default database
	 * @param template the template that saves, or {@code null} if it is not known
	 */
	public DefaultReactiveHiLoBeforeConvertCallback(Supplier<ReactiveHiLoIdGenerator> generator, MissingValues values,
			@Nullable SaveTargets<ReactiveMongoDatabaseFactory, Mono<SaveTarget>> databases,
			@Nullable ReactiveCalls calls, Mono<RangeStore> defaultStore, @Nullable ReactiveMongoTemplate template) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.calls = calls;
		this.defaultStore = defaultStore;
		this.template = template;
		this.steps = new SaveSteps(values, (calls != null) ? calls.engine() : null,
				(template != null) ? template.getConverter() : null);
	}

	@Override
	public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
		return new DefaultReactiveHiLoBeforeConvertCallback(() -> generator, this.values, null, this.calls,
				this.defaultStore, this.template);
	}

	@Override
	public ReactiveBeforeConvertCallback<Object> forTemplate(Object template) {
		return new AssigningCallback(copyFor(template));
	}

	DefaultReactiveHiLoBeforeConvertCallback copyFor(Object template) {
		return (template instanceof ReactiveMongoTemplate own) ? new DefaultReactiveHiLoBeforeConvertCallback(
				this.generator, this.values, this.databases, this.calls, this.defaultStore, own) : this;
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, String collection) {
		return Mono.defer(() -> {
			List<MissingValue> missing = this.values.missing(entity, collection);
			return missing.isEmpty() ? Mono.just(entity)
					: issuedFor(missing).map((values) -> this.steps.assign(entity, missing, values));
		});
	}

	/**
	 * Excludes ids on the saving thread. If another thread did, the next element of a
	 * saved list could take the id before.
	 */
	@Override
	public Publisher<Object> onBeforeSave(Object entity, Document document, String collection) {
		return Mono.defer(() -> {
			List<ChosenValue> chosen = this.steps.chosen(entity, document, collection, this.database);
			return chosen.isEmpty() ? Mono.empty()
					: savedTo().map(Optional::of)
						.defaultIfEmpty(Optional.empty())
						.doOnNext((store) -> this.steps.exclude(chosen, store.orElse(null)));
		}).onErrorResume((ex) -> Mono.fromRunnable(() -> this.steps.tolerated(ex))).then(Mono.just(entity));
	}

	/**
	 * Returns the store of the database to which the document is saved, or nothing if the
	 * database is not known.
	 */
	private Mono<RangeStore> savedTo() {
		return (this.databases == null || this.databases.isKnown(factory()))
				? database().flatMap((found) -> Mono.justOrEmpty(found.store())) : Mono.empty();
	}

	/**
	 * Takes all values in one database, which is found once, and within one limit.
	 */
	private Mono<List<Object>> issuedFor(List<MissingValue> missing) {
		MissingValue first = missing.get(0);
		Function<@Nullable Deadline, Mono<List<Object>>> issued = (deadline) -> {
			if (this.databases != null) {
				this.databases.requireKnown(factory(), first);
			}
			return database().flatMap((found) -> Flux.fromIterable(missing)
				.concatMap((value) -> issueFor(value, found, deadline))
				.collectList());
		};
		return (this.calls == null) ? issued.apply(null) : this.calls.within(first::sequence, issued);
	}

	private @Nullable ReactiveMongoDatabaseFactory factory() {
		return (this.template != null) ? this.template.getMongoDatabaseFactory() : null;
	}

	private Mono<SaveTarget> database() {
		SaveTarget cached = this.database;
		if (cached != null) {
			return Mono.just(cached);
		}
		var databases = this.databases;
		ReactiveMongoDatabaseFactory factory = factory();
		Mono<SaveTarget> elsewhere = (databases != null) ? databases.elsewhere(factory) : null;
		return ((elsewhere != null) ? elsewhere : defaultDatabase()).doOnNext(
				(found) -> this.database = (databases != null && factory != null && databases.fixed().test(factory))
						? found : null);
	}

	/**
	 * Finds the default database or a generator's database, without a store if only a
	 * generator of the application can resolve the database.
	 */
	private Mono<SaveTarget> defaultDatabase() {
		DefaultReactiveHiLoIdGenerator own = DefaultReactiveHiLoIdGenerator.own(this.generator.get());
		Mono<RangeStore> store = (own != null) ? own.store()
				: (this.databases != null) ? this.defaultStore : Mono.empty();
		return store.map((found) -> new SaveTarget(null, found)).defaultIfEmpty(new SaveTarget(null, null));
	}

	private Mono<Object> issueFor(MissingValue missing, SaveTarget to, @Nullable Deadline deadline) {
		ReactiveHiLoIdGenerator generator = this.generator.get();
		ReactiveHiLoIdGenerator there = (to.name() == null || DefaultReactiveHiLoIdGenerator.own(generator) != null)
				? generator : generator.forDatabase(to.name());
		ReactiveCalls calls = this.calls;
		RangeStore store = to.store();
		return Mono.using(() -> this.steps.claim(missing, store), (claim) -> {
			this.steps.register(missing, store);
			String sequence = missing.sequence();
			boolean numeric = missing.property().isNumeric();
			Mono<?> issued = (calls != null && store != null && deadline != null
					&& DefaultReactiveHiLoIdGenerator.own(there) != null)
							? calls.take(store, sequence, missing.place(), 1, !numeric, deadline)
								.map((served) -> numeric ? (Object) served.first() : served.firstDocumentId())
							: (numeric ? there.nextId(sequence) : there.nextDocumentId(sequence)).single();
			return issued.map((value) -> {
				claim.issued();
				return this.steps.requireFit(missing, value, store);
			});
		}, Claim::end);
	}

	/**
	 * The first step alone. Without an order, it has the lowest precedence, too.
	 */
	private record AssigningCallback(
			DefaultReactiveHiLoBeforeConvertCallback whole) implements ReactiveBeforeConvertCallback<Object> {

		@Override
		public Publisher<Object> onBeforeConvert(Object entity, String collection) {
			return this.whole.onBeforeConvert(entity, collection);
		}

	}

}

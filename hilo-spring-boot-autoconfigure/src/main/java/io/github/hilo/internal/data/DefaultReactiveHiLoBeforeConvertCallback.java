package io.github.hilo.internal.data;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
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
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeSaveCallback;

/**
 * Assigns ids when an entity is saved reactively. The callback finds what the entity
 * lacks and the database to which the template saves, takes ids that are free there, and
 * assigns them. Before the document is sent, the callback leaves out its ids and numbers,
 * because the application may have chosen them.
 * <p>
 * Thread-safe: {@code database} is volatile, and all other fields are final.
 */
public final class DefaultReactiveHiLoBeforeConvertCallback
		implements ReactiveHiLoBeforeConvertCallback, ReactiveBeforeSaveCallback<Object>, TemplateCallback {

	private final Supplier<ReactiveHiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases;

	private final @Nullable HiLoEngine engine;

	private final Mono<RangeStore> defaultStore;

	private final @Nullable ReactiveMongoTemplate template;

	private final StoredForm storedForm;

	// Where the template saves, once it is certain that this cannot change.
	private volatile @Nullable TemplateDatabase database;

	public DefaultReactiveHiLoBeforeConvertCallback(Supplier<ReactiveHiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases,
			@Nullable HiLoEngine engine, Mono<RangeStore> defaultStore) {
		this(generator, values, databases, engine, defaultStore, null);
	}

	private DefaultReactiveHiLoBeforeConvertCallback(Supplier<ReactiveHiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases,
			@Nullable HiLoEngine engine, Mono<RangeStore> defaultStore, @Nullable ReactiveMongoTemplate template) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.defaultStore = defaultStore;
		this.template = template;
		this.storedForm = new StoredForm((template != null) ? template.getConverter() : null);
	}

	@Override
	public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
		return new DefaultReactiveHiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine,
				this.defaultStore, this.template);
	}

	@Override
	public Object of(Object template) {
		return (template instanceof ReactiveMongoTemplate known) ? new DefaultReactiveHiLoBeforeConvertCallback(
				this.generator, this.values, this.databases, this.engine, this.defaultStore, known) : this;
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, String collection) {
		return Mono.defer(() -> {
			List<MissingValue> missing = this.values.missing(entity, collection);
			return missing.isEmpty() ? Mono.just(entity)
					: issuedFor(missing).map((values) -> this.storedForm.assign(entity, missing, values));
		});
	}

	/**
	 * Leaves ids out on the saving thread, because the next element of a list may take a
	 * number right after that.
	 */
	@Override
	public Publisher<Object> onBeforeSave(Object entity, Document document, String collection) {
		HiLoEngine engine = this.engine;
		return (engine == null) ? Mono.just(entity) : Mono.defer(() -> {
			List<ChosenValue> chosen = ChosenIds.of(this.values.chosen(entity, document, collection), engine);
			return chosen.isEmpty() ? Mono.empty()
					: savedTo().map(Optional::of)
						.defaultIfEmpty(Optional.empty())
						.doOnNext((store) -> ChosenIds.leaveOut(chosen, engine, store.orElse(null)));
		}).onErrorResume((ex) -> Mono.fromRunnable(() -> ChosenIds.tolerated(ex))).then(Mono.just(entity));
	}

	/**
	 * Returns the store of the database to which the document is saved, or nothing if the
	 * database is not known.
	 */
	private Mono<RangeStore> savedTo() {
		return (this.databases != null && !this.databases.isTold(factory())) ? Mono.empty()
				: elsewhere().flatMap((to) -> Mono.justOrEmpty(to.store()))
					.switchIfEmpty(Mono.defer(() -> storeOf(this.generator.get())));
	}

	/**
	 * Takes all values in one database, which is found once, and within one limit.
	 */
	private Mono<List<Object>> issuedFor(List<MissingValue> missing) {
		MissingValue first = missing.get(0);
		Function<@Nullable Deadline, Mono<List<Object>>> issued = (deadline) -> begin(first)
			.flatMap((save) -> Flux.fromIterable(missing)
				.concatMap((value) -> issueFor(value, save, deadline))
				.collectList());
		return (this.engine == null) ? issued.apply(null)
				: DefaultReactiveHiLoIdGenerator.within(this.engine, first::sequence, issued);
	}

	private Mono<Save> begin(MissingValue first) {
		ReactiveHiLoIdGenerator generator = this.generator.get();
		if (this.databases != null) {
			this.databases.requireTold(factory(), first);
		}
		return elsewhere()
			.map((to) -> new Save((generator instanceof DefaultReactiveHiLoIdGenerator) ? generator
					: generator.forDatabase(to.name()), to.store()))
			.switchIfEmpty(Mono.defer(() -> storeOf(generator)).map((store) -> new Save(generator, store)))
			.defaultIfEmpty(new Save(generator, null));
	}

	private @Nullable ReactiveMongoDatabaseFactory factory() {
		return (this.template != null) ? this.template.getMongoDatabaseFactory() : null;
	}

	private Mono<TemplateDatabase> elsewhere() {
		TemplateDatabase known = this.database;
		var databases = this.databases;
		if (known != null || databases == null) {
			return Mono.justOrEmpty(known);
		}
		ReactiveMongoDatabaseFactory factory = factory();
		Mono<TemplateDatabase> found = databases.elsewhere(factory);
		return (found == null || factory == null) ? Mono.empty()
				: found.doOnNext((to) -> this.database = databases.fixed().test(factory) ? to : null);
	}

	/**
	 * Returns the store of the database to which the document is saved, or nothing if
	 * only a generator of the application can resolve the database.
	 */
	private Mono<RangeStore> storeOf(ReactiveHiLoIdGenerator generator) {
		return (generator instanceof DefaultReactiveHiLoIdGenerator own) ? own.store()
				: (this.databases != null) ? this.defaultStore : Mono.empty();
	}

	private Mono<Object> issueFor(MissingValue missing, Save to, @Nullable Deadline deadline) {
		HiLoEngine engine = this.engine;
		RangeStore store = to.store();
		missing.requireOneCounter((store != null) ? store.database() : "");
		if (engine == null || store == null || deadline == null) {
			return take(missing, to.generator()).map(missing::requireFit);
		}
		String sequence = missing.sequence();
		Mono<Object> taken = (to.generator() instanceof DefaultReactiveHiLoIdGenerator)
				? DefaultReactiveHiLoIdGenerator
					.call(engine, store, sequence, missing.place(), deadline,
							(placed, limit) -> placed.request(1, !missing.isNumeric(), limit))
					.map((served) -> missing.isNumeric() ? (Object) served.first() : served.firstDocumentId())
				: take(missing, to.generator());
		return taken.map((issued) -> DefaultHiLoBeforeConvertCallback.fitting(missing, issued, store, engine));
	}

	private static Mono<Object> take(MissingValue missing, ReactiveHiLoIdGenerator generator) {
		return (missing.isNumeric() ? generator.nextId(missing.sequence())
				: generator.nextDocumentId(missing.sequence()))
			.cast(Object.class)
			.single();
	}

	/**
	 * From where a save gets its values.
	 *
	 * @param store the store of the database to which the document is saved, or
	 * {@code null} if only a generator of the application can resolve the database
	 */
	private record Save(ReactiveHiLoIdGenerator generator, @Nullable RangeStore store) {
	}

}

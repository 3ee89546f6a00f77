package io.github.hilo.internal.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.mapping.NumberedProperty;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.internal.sequence.AsyncSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;

/**
 * The callback: finds what an entity lacks and the database that is saved to, and takes
 * ids that are free there.
 */
public final class DefaultReactiveHiLoBeforeConvertCallback implements ReactiveHiLoBeforeConvertCallback {

	private final Supplier<ReactiveHiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases;

	private final @Nullable HiLoEngine engine;

	private final MissingValues.@Nullable SetValues set;

	private final Mono<RangeStore> defaultStore;

	public DefaultReactiveHiLoBeforeConvertCallback(Supplier<ReactiveHiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases,
			@Nullable HiLoEngine engine, Mono<RangeStore> defaultStore) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.set = (engine != null) ? engine::set : null;
		this.defaultStore = defaultStore;
	}

	@Override
	public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
		return new DefaultReactiveHiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine,
				this.defaultStore);
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, String collection) {
		return Mono.defer(() -> {
			List<NumberedProperty> properties = this.values.propertiesOf(entity, collection, this.set);
			for (int i = 0; i < properties.size(); i++) {
				MissingValue missing = this.values.missing(entity, properties.get(i), collection, this.set);
				if (missing != null) {
					return assigned(missing, properties.subList(i + 1, properties.size()), collection);
				}
			}
			return Mono.just(entity);
		});
	}

	/**
	 * Gives an entity what it lacks, in one database and within one limit.
	 */
	private Mono<Object> assigned(MissingValue first, List<NumberedProperty> others, String collection) {
		HiLoEngine engine = this.engine;
		Mono<ReactiveTemplateCallbacks> template = ReactiveTemplateCallbacks.ofThisSave(collection).cache();
		List<NumberedProperty> given = new ArrayList<>();
		Function<@Nullable Deadline, Mono<Object>> save = (deadline) -> begin(first, template, deadline)
			.flatMap((to) -> {
				Mono<Object> assigned = assigned(first, to, template, given);
				for (NumberedProperty property : others) {
					assigned = assigned.flatMap((current) -> {
						MissingValue missing = this.values.missing(current, property, collection, this.set);
						return (missing != null) ? assigned(missing, to, template, given) : Mono.just(current);
					});
				}
				return assigned;
			});
		Mono<Object> assigned = (engine == null) ? save.apply(null)
				: DefaultReactiveHiLoIdGenerator.within(engine, first::sequence, save);
		return assigned
			.flatMap((last) -> template.doOnNext((saving) -> saving.requireStored(last, given)).thenReturn(last));
	}

	private static Mono<Object> assigned(MissingValue missing, Save to, Mono<ReactiveTemplateCallbacks> template,
			List<NumberedProperty> given) {
		return to.issueFor(missing).flatMap((value) -> {
			given.add(missing.property());
			return template.map((saving) -> missing.assign(value, saving.converter()))
				.switchIfEmpty(Mono.fromSupplier(() -> missing.assign(value, null)));
		});
	}

	/**
	 * Finds the database that is saved to, once for the whole save.
	 */
	private Mono<Save> begin(MissingValue missing, Mono<ReactiveTemplateCallbacks> template,
			@Nullable Deadline deadline) {
		ReactiveHiLoIdGenerator generator = this.generator.get();
		return elsewhere(missing, template)
			.map((to) -> new Save((generator instanceof DefaultReactiveHiLoIdGenerator) ? generator
					: generator.forDatabase(to.name()), this.engine, to.store(), deadline))
			.switchIfEmpty(Mono.defer(() -> storeOf(generator))
				.map((store) -> new Save(generator, this.engine, store, deadline)))
			.defaultIfEmpty(new Save(generator, this.engine, null, deadline));
	}

	private Mono<TemplateDatabase> elsewhere(MissingValue missing, Mono<ReactiveTemplateCallbacks> template) {
		var databases = this.databases;
		return (databases == null) ? Mono.empty()
				: template.map((saving) -> saving.database(databases)).switchIfEmpty(Mono.fromSupplier(() -> {
					databases.requireOne(missing);
					return Mono.empty();
				})).flatMap(Function.identity());
	}

	/**
	 * Finds the database that is saved to, or nothing if only a generator of the
	 * application's knows it.
	 */
	private Mono<RangeStore> storeOf(ReactiveHiLoIdGenerator generator) {
		return (generator instanceof DefaultReactiveHiLoIdGenerator own) ? own.store()
				: (this.databases != null) ? this.defaultStore : Mono.empty();
	}

	private record Save(ReactiveHiLoIdGenerator generator, @Nullable HiLoEngine engine, @Nullable RangeStore store,
			@Nullable Deadline deadline) {

		Mono<Object> issueFor(MissingValue missing) {
			HiLoEngine engine = this.engine;
			RangeStore store = this.store;
			Deadline deadline = this.deadline;
			missing.requireOneCounter((store != null) ? store.database() : "");
			if (engine == null || store == null || deadline == null) {
				return take(missing).map(missing::requireFit);
			}
			String sequence = missing.sequence();
			Mono<Object> taken = (this.generator instanceof DefaultReactiveHiLoIdGenerator)
					? DefaultReactiveHiLoIdGenerator.take(engine, store, sequence, missing.place(), deadline,
							missing.isNumeric() ? AsyncSequence::nextId : AsyncSequence::nextDocumentId)
					: take(missing);
			return taken.map((issued) -> DefaultHiLoBeforeConvertCallback.fitting(missing, issued, store, engine));
		}

		private Mono<Object> take(MissingValue missing) {
			return (missing.isNumeric() ? this.generator.nextId(missing.sequence())
					: this.generator.nextDocumentId(missing.sequence()))
				.cast(Object.class);
		}

	}

}

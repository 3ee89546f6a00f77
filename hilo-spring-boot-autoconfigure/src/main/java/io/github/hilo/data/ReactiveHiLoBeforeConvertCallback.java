package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.mapping.NumberedProperty;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.internal.sequence.AsyncSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

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
 * Ids are counted in the database of the template that saves. Where that cannot be told,
 * because the template is no bean or got its callbacks after the start, it is the default
 * database, unless there are templates or factories of several: then the save is refused.
 * So that such a template counts in its own database, set a copy on it:
 * {@code template.setEntityCallbacks(ReactiveEntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))))}.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 */
public final class ReactiveHiLoBeforeConvertCallback implements ReactiveBeforeConvertCallback<Object>, Ordered {

	private final Supplier<ReactiveHiLoIdGenerator> generator;

	private final MissingValues values;

	private final @Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases;

	private final @Nullable HiLoEngine engine;

	private final MissingValues.@Nullable SetValues set;

	private final Mono<RangeStore> defaultStore;

	/**
	 * Creates a callback.
	 * @param generator supplies the generator, always the same, when it is first needed:
	 * it may depend on beans that look for callbacks themselves
	 * @param values tells what an entity lacks
	 * @param databases finds the databases that templates save to, or {@code null} if all
	 * ids are the generator's
	 * @param engine confirms ids where they go, or {@code null} if it does not issue them
	 * @param defaultStore resolves the default database for each subscriber
	 */
	public ReactiveHiLoBeforeConvertCallback(Supplier<ReactiveHiLoIdGenerator> generator, MissingValues values,
			@Nullable TemplateDatabases<ReactiveMongoDatabaseFactory, Mono<TemplateDatabase>> databases,
			@Nullable HiLoEngine engine, Mono<RangeStore> defaultStore) {
		this.generator = generator;
		this.values = values;
		this.databases = databases;
		this.engine = engine;
		this.set = (engine != null) ? engine::set : null;
		this.defaultStore = defaultStore;
	}

	/**
	 * Makes a callback like this one that takes all ids from another generator.
	 * @param generator the other generator, such as
	 * {@code generator.forDatabase("audit")}
	 * @return the other callback
	 */
	public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
		return new ReactiveHiLoBeforeConvertCallback(() -> generator, this.values, null, this.engine,
				this.defaultStore);
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, String collection) {
		return Mono.defer(() -> {
			List<NumberedProperty> properties = this.values.propertiesOf(entity);
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
				Mono<Object> assigned = assigned(first, to, given);
				for (NumberedProperty property : others) {
					assigned = assigned.flatMap((current) -> {
						MissingValue missing = this.values.missing(current, property, collection, this.set);
						return (missing != null) ? assigned(missing, to, given) : Mono.just(current);
					});
				}
				return assigned;
			});
		Mono<Object> assigned = (engine == null) ? save.apply(null)
				: DefaultReactiveHiLoIdGenerator.within(engine, first::sequence, save);
		return assigned
			.flatMap((last) -> template.doOnNext((saving) -> saving.requireStored(last, given)).thenReturn(last));
	}

	private static Mono<Object> assigned(MissingValue missing, Save to, List<NumberedProperty> given) {
		return to.issueFor(missing).map((value) -> {
			given.add(missing.property());
			return missing.assign(value);
		});
	}

	/**
	 * Finds the database that is saved to, once for the whole save.
	 */
	private Mono<Save> begin(MissingValue missing, Mono<ReactiveTemplateCallbacks> template,
			@Nullable Deadline deadline) {
		ReactiveHiLoIdGenerator generator = this.generator.get();
		// A mock may answer nothing.
		return elsewhere(missing, template)
			.map((to) -> new Save(
					(generator instanceof DefaultReactiveHiLoIdGenerator) ? generator
							: Objects.requireNonNullElse(generator.forDatabase(to.name()), generator),
					this.engine, to.store(), deadline))
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
	 * One save, of which all properties share a database and a limit.
	 *
	 * @param store the database that is saved to, or {@code null} if only a generator of
	 * the application's knows it
	 */
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
					? DefaultReactiveHiLoIdGenerator.take(engine.async(store, sequence, missing.place(), deadline),
							missing.isNumeric() ? AsyncSequence::nextId : AsyncSequence::nextDocumentId)
					: DefaultReactiveHiLoIdGenerator.confirmed(sequence, take(missing),
							(id) -> engine.confirm(store, sequence, missing.place(), id), deadline);
			return taken.map((issued) -> HiLoBeforeConvertCallback.fitting(missing, issued, store, engine));
		}

		private Mono<Object> take(MissingValue missing) {
			return (missing.isNumeric() ? this.generator.nextId(missing.sequence())
					: this.generator.nextDocumentId(missing.sequence()))
				.cast(Object.class);
		}

	}

}

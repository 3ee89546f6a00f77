package io.github.hilo.internal.save;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.ChosenNumber;
import io.github.hilo.internal.engine.Claim;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.internal.engine.ReactiveCalls;
import io.github.hilo.internal.mapping.CountedField;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeSaveCallback;

/**
 * Assigns ids when an entity is saved reactively. The callback finds what the entity
 * lacks and the database to which the template saves, takes ids that are free there, and
 * assigns them. Before a document is sent, the sequences learn its ids and numbers, and
 * never issue them, because the application may have chosen them. If the application
 * replaces the bean, {@link ReactiveExcludingCallback} does the second step alone.
 * <p>
 * Thread-safe: all fields are final.
 */
public final class DefaultReactiveHiLoBeforeConvertCallback
		implements ReactiveHiLoBeforeConvertCallback, ReactiveBeforeSaveCallback<Object>, TemplateCallback {

	private final SaveSteps steps;

	private final @Nullable ReactiveCalls calls;

	private final SaveDatabase<ReactiveMongoTemplate, ReactiveHiLoIdGenerator, Mono<SavedTo<ReactiveHiLoIdGenerator>>> database;

	/**
	 * @param calls makes calls, or {@code null} if all ids come from a generator of the
	 * application
	 */
	public DefaultReactiveHiLoBeforeConvertCallback(SavePlans plans, @Nullable ReactiveCalls calls,
			SaveDatabase<ReactiveMongoTemplate, ReactiveHiLoIdGenerator, Mono<SavedTo<ReactiveHiLoIdGenerator>>> database) {
		this(new SaveSteps(plans, (calls != null) ? calls.engine() : null, null), calls, database);
	}

	private DefaultReactiveHiLoBeforeConvertCallback(SaveSteps steps, @Nullable ReactiveCalls calls,
			SaveDatabase<ReactiveMongoTemplate, ReactiveHiLoIdGenerator, Mono<SavedTo<ReactiveHiLoIdGenerator>>> database) {
		this.steps = steps;
		this.calls = calls;
		this.database = database;
	}

	@Override
	public ReactiveHiLoBeforeConvertCallback withGenerator(ReactiveHiLoIdGenerator generator) {
		return new DefaultReactiveHiLoBeforeConvertCallback(this.steps, this.calls,
				this.database.forGenerator(generator));
	}

	@Override
	public DefaultReactiveHiLoBeforeConvertCallback forTemplate(Object template) {
		return (template instanceof ReactiveMongoTemplate known) ? new DefaultReactiveHiLoBeforeConvertCallback(
				this.steps.with(known.getConverter()), this.calls, this.database.forTemplate(known)) : this;
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, String collection) {
		return Mono.defer(() -> {
			List<CountedField> missing = this.steps.missing(entity, collection);
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
			List<ChosenNumber> chosen = this.steps.chosen(entity, document, collection);
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
		return this.database.isKnown() ? this.database.resolve().flatMap((to) -> Mono.justOrEmpty(to.store()))
				: Mono.empty();
	}

	/**
	 * Takes all values in one database, which is found once, and within one limit.
	 */
	private Mono<List<Object>> issuedFor(List<CountedField> missing) {
		CountedField first = missing.get(0);
		Function<Deadline, Mono<List<Object>>> issued = (deadline) -> {
			this.steps.requireKnown(this.database, first);
			return this.database.resolve()
				.flatMap((to) -> Flux.fromIterable(missing)
					.concatMap((value) -> issueFor(value, to, deadline))
					.collectList());
		};
		return (this.calls == null) ? issued.apply(this.steps.deadline()) : this.calls.within(first::sequence, issued);
	}

	private Mono<Object> issueFor(CountedField missing, SavedTo<ReactiveHiLoIdGenerator> to, Deadline deadline) {
		RangeStore store = to.store();
		return Mono.using(() -> this.steps.claim(missing, store), (claim) -> {
			this.steps.register(missing, store);
			return issued(missing, to, deadline).map((value) -> {
				claim.issued();
				return this.steps.requireFit(missing, value, store);
			});
		}, Claim::end);
	}

	private Mono<?> issued(CountedField missing, SavedTo<ReactiveHiLoIdGenerator> to, Deadline deadline) {
		ReactiveHiLoIdGenerator generator = to.generator().get();
		String sequence = missing.sequence();
		boolean numeric = missing.property().isNumeric();
		return (this.calls != null && to.store() != null && DefaultReactiveHiLoIdGenerator.own(generator) != null)
				? this.calls.take(to.store(), sequence, missing.place(), 1, missing.place().form(), deadline)
					.map((served) -> numeric ? (Object) served.first() : served.firstDocumentId())
				: (numeric ? generator.nextId(sequence) : generator.nextDocumentId(sequence)).single();
	}

}

package io.github.hilo.internal.save;

import java.util.function.Supplier;

import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * The database of a generator from which all ids of a reactive template come.
 */
public record ReactiveGeneratorDatabase(Supplier<ReactiveHiLoIdGenerator> generator)
		implements
			SaveDatabase<ReactiveMongoTemplate, ReactiveHiLoIdGenerator, Mono<SavedTo<ReactiveHiLoIdGenerator>>> {

	@Override
	public boolean isKnown() {
		return true;
	}

	@Override
	public Mono<SavedTo<ReactiveHiLoIdGenerator>> resolve() {
		ReactiveHiLoIdGenerator generator = this.generator.get();
		DefaultReactiveHiLoIdGenerator own = DefaultReactiveHiLoIdGenerator.own(generator);
		return (own != null) ? own.store().map(SavedTo.Counted::new) : Mono.just(new SavedTo.Asked<>(generator, null));
	}

	@Override
	public ReactiveGeneratorDatabase forTemplate(ReactiveMongoTemplate template) {
		return this;
	}

	@Override
	public ReactiveGeneratorDatabase forGenerator(ReactiveHiLoIdGenerator other) {
		return new ReactiveGeneratorDatabase(() -> other);
	}

}

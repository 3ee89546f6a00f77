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
		DefaultReactiveHiLoIdGenerator own = DefaultReactiveHiLoIdGenerator.own(this.generator.get());
		return (own != null) ? own.store().map((store) -> new SavedTo<>(store, this.generator))
				: Mono.just(new SavedTo<>(null, this.generator));
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

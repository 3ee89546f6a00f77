package io.github.hilo.internal.save;

import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * The database of a generator from which all ids of a template come.
 *
 * @param engine the engine, or {@code null} if all generators are the application's
 */
public record GeneratorDatabase(Supplier<HiLoIdGenerator> generator,
		@Nullable HiLoEngine engine) implements SaveDatabase<MongoTemplate, HiLoIdGenerator, SavedTo<HiLoIdGenerator>> {

	@Override
	public boolean isKnown() {
		return true;
	}

	@Override
	public SavedTo<HiLoIdGenerator> resolve() {
		RangeStore store = (this.engine != null) ? this.engine.storeUsedBy(this.generator.get()) : null;
		return new SavedTo<>(store, this.generator);
	}

	@Override
	public GeneratorDatabase forTemplate(MongoTemplate template) {
		return this;
	}

	@Override
	public GeneratorDatabase forGenerator(HiLoIdGenerator other) {
		return new GeneratorDatabase(() -> other, this.engine);
	}

}

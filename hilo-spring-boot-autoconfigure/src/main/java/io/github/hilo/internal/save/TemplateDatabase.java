package io.github.hilo.internal.save;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The database to which a factory leads the saves of its template. The factory is asked
 * for with each save, because a template without its properties may not have it yet.
 * Thread-safe: {@code last} is volatile and its value never changes, and the other fields
 * are final.
 */
final class TemplateDatabase<T, F, G, R> implements SaveDatabase<T, G, R> {

	private final TemplateDatabases<T, F, G, R> databases;

	private final T template;

	private volatile @Nullable Bound<F, R> last;

	TemplateDatabase(TemplateDatabases<T, F, G, R> databases, T template) {
		this.databases = databases;
		this.template = template;
	}

	@Override
	public boolean isKnown() {
		return this.databases.factoryOf(this.template) != null || this.databases.areOne();
	}

	@Override
	public R resolve() {
		F factory = this.databases.factoryOf(this.template);
		return (factory == null || this.databases.isDefault(factory)) ? this.databases.ofDefault()
				: bound(factory).database().get();
	}

	private Bound<F, R> bound(F factory) {
		Bound<F, R> bound = this.last;
		if (bound == null || bound.factory() != factory) {
			bound = new Bound<>(factory, this.databases.of(factory));
			this.last = bound;
		}
		return bound;
	}

	@Override
	public SaveDatabase<T, G, R> forTemplate(T other) {
		return new TemplateDatabase<>(this.databases, other);
	}

	@Override
	public SaveDatabase<T, G, R> forGenerator(G generator) {
		return this.databases.ofGenerator(generator);
	}

	private record Bound<F, R>(F factory, Supplier<R> database) {
	}

}

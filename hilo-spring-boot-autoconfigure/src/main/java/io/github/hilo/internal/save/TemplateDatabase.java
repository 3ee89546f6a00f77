package io.github.hilo.internal.save;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The database to which the factory of a template leads its saves. Each save asks the
 * template for its factory, because this object is created before Spring sets the
 * properties of the template, and a property can bring the factory. Thread-safe:
 * {@code last} is volatile and refers to a record, and the other fields are final.
 */
final class TemplateDatabase<T, F, G, R> implements SaveDatabase<T, G, R> {

	private final TemplateDatabases<T, F, G, R> databases;

	private final T template;

	private volatile @Nullable FactoryDatabase<F, R> last;

	TemplateDatabase(TemplateDatabases<T, F, G, R> databases, T template) {
		this.databases = databases;
		this.template = template;
	}

	@Override
	public boolean isKnown() {
		return this.databases.factoryOf(this.template) != null || this.databases.areOneDatabase();
	}

	@Override
	public R resolve() {
		F factory = this.databases.factoryOf(this.template);
		return (factory == null || this.databases.isDefault(factory)) ? this.databases.ofDefault()
				: databaseOf(factory).get();
	}

	private Supplier<R> databaseOf(F factory) {
		FactoryDatabase<F, R> known = this.last;
		if (known == null || known.factory() != factory) {
			known = new FactoryDatabase<>(factory, this.databases.of(factory));
			this.last = known;
		}
		return known.database();
	}

	@Override
	public SaveDatabase<T, G, R> forTemplate(T other) {
		return new TemplateDatabase<>(this.databases, other);
	}

	@Override
	public SaveDatabase<T, G, R> forGenerator(G generator) {
		return this.databases.ofGenerator(generator);
	}

	private record FactoryDatabase<F, R>(F factory, Supplier<R> database) {
	}

}

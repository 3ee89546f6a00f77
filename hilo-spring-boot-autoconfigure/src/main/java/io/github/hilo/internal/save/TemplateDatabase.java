package io.github.hilo.internal.save;

import java.util.function.Supplier;

/**
 * The database to which a factory leads the saves of its template.
 */
record TemplateDatabase<T, F, G, R>(TemplateDatabases<T, F, G, R> databases, F factory,
		Supplier<R> ofFactory) implements SaveDatabase<T, G, R> {

	@Override
	public boolean isKnown() {
		return true;
	}

	@Override
	public R resolve() {
		return this.databases.isDefault(this.factory) ? this.databases.ofDefault() : this.ofFactory.get();
	}

	@Override
	public SaveDatabase<T, G, R> forTemplate(T other) {
		return this.databases.ofUnknownTemplate().forTemplate(other);
	}

	@Override
	public SaveDatabase<T, G, R> forGenerator(G generator) {
		return this.databases.ofGenerator(generator);
	}

}

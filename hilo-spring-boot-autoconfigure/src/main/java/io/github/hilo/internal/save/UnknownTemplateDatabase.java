package io.github.hilo.internal.save;

/**
 * The database of a template that is no bean, or on which the application has set the
 * callbacks of the context.
 */
record UnknownTemplateDatabase<T, F, G, R>(TemplateDatabases<T, F, G, R> databases) implements SaveDatabase<T, G, R> {

	@Override
	public boolean isKnown() {
		return this.databases.areOneDatabase();
	}

	@Override
	public R resolve() {
		return this.databases.ofDefault();
	}

	@Override
	public SaveDatabase<T, G, R> forTemplate(T template) {
		return new TemplateDatabase<>(this.databases, template);
	}

	@Override
	public SaveDatabase<T, G, R> forGenerator(G generator) {
		return this.databases.ofGenerator(generator);
	}

}

package io.github.hilo.autoconfigure;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Names the databases of templates' factories, as a generator takes them.
 *
 * @param <F> the type of factories
 * @param <N> what names a database
 * @param defaultFactory finds the default factory
 * @param ofDefault names its database, whichever that is
 * @param names names the database of another factory, as it resolves now
 * @param fixed whether a factory always resolves the same database
 * @param known the names that cannot change, in a concurrent map
 */
record TemplateDatabases<F, N>(Supplier<F> defaultFactory, N ofDefault, Function<F, N> names, Predicate<F> fixed,
		Map<F, N> known) implements Function<F, N> {

	@Override
	public N apply(F factory) {
		N name = this.known.get(factory);
		if (name == null) {
			boolean isDefault = DefaultFactory.is(this.defaultFactory, (found) -> found == factory);
			name = isDefault ? this.ofDefault : this.names.apply(factory);
			if (isDefault || this.fixed.test(factory)) {
				this.known.put(factory, name);
			}
		}
		return name;
	}

}

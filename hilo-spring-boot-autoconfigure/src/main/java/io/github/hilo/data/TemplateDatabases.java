package io.github.hilo.data;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Names the databases that templates save to, as a generator takes them. Internal.
 *
 * @param <F> the type of templates' factories
 * @param <N> what names a database
 * @param isDefault whether a factory is that of the default database
 * @param ofDefault names that, whichever it is
 * @param names names the database that another factory resolves now
 * @param fixed whether a factory always resolves the same database
 * @hidden
 */
public record TemplateDatabases<F, N>(Predicate<F> isDefault, N ofDefault, Function<F, N> names, Predicate<F> fixed) {

	N nameOf(F factory) {
		return this.isDefault.test(factory) ? this.ofDefault : this.names.apply(factory);
	}

	boolean isFixed(F factory) {
		return this.isDefault.test(factory) || this.fixed.test(factory);
	}

}

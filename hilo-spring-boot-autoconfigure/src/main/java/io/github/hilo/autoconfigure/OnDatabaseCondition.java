package io.github.hilo.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.context.annotation.Conditional;

/**
 * {@link Conditional} that a database can be reached with either driver.
 */
final class OnDatabaseCondition extends AnyNestedCondition {

	OnDatabaseCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@Conditional(OnBlockingDatabaseCondition.class)
	static class Blocking {

	}

	@Conditional(OnReactiveDatabaseCondition.class)
	static class Reactive {

	}

}

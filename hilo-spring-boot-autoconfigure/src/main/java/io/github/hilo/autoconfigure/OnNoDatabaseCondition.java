package io.github.hilo.autoconfigure;

import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/**
 * {@link Conditional} that no database can be reached.
 */
final class OnNoDatabaseCondition extends NoneNestedConditions {

	OnNoDatabaseCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@Conditional(OnDatabaseCondition.class)
	static class Database {

	}

}

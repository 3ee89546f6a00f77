package io.github.hilo.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/**
 * {@link Conditional} that ids are assigned to some type.
 */
final class OnAssignIdsCondition extends NoneNestedConditions {

	OnAssignIdsCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnProperty(prefix = HiLoProperties.PREFIX, name = "assign-ids", havingValue = "none")
	static class None {

	}

}

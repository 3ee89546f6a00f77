package io.github.hilo.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether {@code hilo.enabled} is on. A value that is no Boolean stops the start.
 * Otherwise a typo would switch off the ids in silence, and documents would get
 * ObjectIds.
 */
final class OnEnabled implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return !Boolean.FALSE.equals(Binder.get(context.getEnvironment())
			.bind(HiLoProperties.PREFIX + ".enabled", Boolean.class)
			.orElse(true));
	}

}

package io.github.hilo.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether {@code hilo.enabled} is on. What is no Boolean stops the start, instead of
 * switching off in silence, after which documents would get ObjectIds.
 */
final class OnEnabled implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return !Boolean.FALSE.equals(Binder.get(context.getEnvironment())
			.bind(HiLoProperties.PREFIX + ".enabled", Boolean.class)
			.orElse(true));
	}

}

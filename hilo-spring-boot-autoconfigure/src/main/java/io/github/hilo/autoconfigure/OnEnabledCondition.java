package io.github.hilo.autoconfigure;

import java.util.Locale;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * {@link Conditional} that {@code hilo.enabled} is not {@code false}.
 * <p>
 * Spring Boot's own condition takes whatever is not {@code true} for {@code false}, so
 * that a typo would silently give documents other ids.
 */
final class OnEnabledCondition extends SpringBootCondition {

	private static final String PROPERTY = HiLoProperties.PREFIX + ".enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String value = Binder.get(context.getEnvironment()).bind(PROPERTY, String.class).orElseGet(() -> "true");
		ConditionMessage.Builder message = ConditionMessage.forCondition(PROPERTY);
		return switch (value.strip().toLowerCase(Locale.ROOT)) {
			case "true" -> ConditionOutcome.match(message.because("it is true"));
			case "false" -> ConditionOutcome.noMatch(message.because("it is false"));
			default ->
				throw new InvalidConfigurationPropertyValueException(PROPERTY, value, "It must be true or false.");
		};
	}

}

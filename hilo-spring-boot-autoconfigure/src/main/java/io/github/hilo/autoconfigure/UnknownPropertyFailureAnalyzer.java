package io.github.hilo.autoconfigure;

import java.util.stream.Collectors;

import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Says which property may have been meant by an unknown one. Comes before the analyzer of
 * Spring Boot, which tells only that it is unknown.
 */
@Order(0)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		BindException binding = findCause(rootFailure, BindException.class);
		if (binding == null || binding.getTarget().getType().resolve() != HiLoProperties.class) {
			return null;
		}
		String description = cause.getUnboundProperties()
			.stream()
			.map(UnknownPropertyFailureAnalyzer::describe)
			.collect(Collectors.joining("%n".formatted(), "Unknown properties:%n".formatted(), ""));
		String action = cause.getUnboundProperties()
			.stream()
			.map((property) -> "%n    %s: %s".formatted(nameOf(property), KnownProperties.advice(property.getName())))
			.collect(Collectors.joining("", "Correct each name, or remove the property:%n".formatted(), ""));
		return new FailureAnalysis(description, action, cause);
	}

	private static String describe(ConfigurationProperty property) {
		return "%n    Property: %s%n    Value: \"%s\"%n    Origin: %s".formatted(nameOf(property),
				Names.printable(String.valueOf(property.getValue())), property.getOrigin());
	}

	private static String nameOf(ConfigurationProperty property) {
		return Names.printable(property.getName().toString());
	}

}

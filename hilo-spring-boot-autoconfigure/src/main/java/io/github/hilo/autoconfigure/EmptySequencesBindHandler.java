package io.github.hilo.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Takes {@code hilo.sequences} with nothing below it, because all its entries are
 * commented out, for no settings of single sequences.
 * <p>
 * YAML gives such a key an empty text. Spring Boot binds that to a list or a record, but
 * not to a map.
 */
final class EmptySequencesBindHandler extends AbstractBindHandler {

	private static final ConfigurationPropertyName SEQUENCES = ConfigurationPropertyName
		.of(HiLoProperties.PREFIX + ".sequences");

	EmptySequencesBindHandler(BindHandler parent) {
		super(parent);
	}

	@Override
	public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Exception error) throws Exception {
		ConfigurationProperty property = context.getConfigurationProperty();
		if (name.equals(SEQUENCES) && property != null && "".equals(property.getValue())) {
			// A success, as whatever was not bound counts as unknown.
			return super.onSuccess(name, target, context, Map.of());
		}
		return super.onFailure(name, target, context, error);
	}

}

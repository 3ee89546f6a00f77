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
 * Binds a key of ours that has properties below it, but nothing at all in the file, such
 * as a {@code sequences:} whose entries are commented out. YAML gives it an empty text,
 * which cannot be converted to a map or a record.
 */
final class EmptyValueBindHandler extends AbstractBindHandler {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(HiLoProperties.PREFIX);

	EmptyValueBindHandler(BindHandler parent) {
		super(parent);
	}

	@Override
	public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Exception error) throws Exception {
		if (ROOT.isAncestorOf(name) && hasPropertiesBelow(target)
				&& isEmpty(name, context.getConfigurationProperty())) {
			// Otherwise the key would count as an unknown one.
			super.onSuccess(name, target, context, "");
			return null;
		}
		return super.onFailure(name, target, context, error);
	}

	private static boolean hasPropertiesBelow(Bindable<?> target) {
		Class<?> type = target.getType().toClass();
		return type.isRecord() || Map.class.isAssignableFrom(type);
	}

	private static boolean isEmpty(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
		return property != null && property.getName().equals(name) && "".equals(property.getValue());
	}

}

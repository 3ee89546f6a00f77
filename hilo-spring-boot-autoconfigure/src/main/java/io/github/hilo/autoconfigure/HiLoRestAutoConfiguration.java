package io.github.hilo.autoconfigure;

import io.github.hilo.mapping.MissingValues;
import io.github.hilo.rest.HiLoBackendIdConverter;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

/**
 * {@link AutoConfiguration Auto-configuration} for ids in the URLs of Spring Data REST.
 */
@AutoConfiguration(after = HiLoAutoConfiguration.class)
@ConditionalOnClass(BackendIdConverter.class)
@ConditionalOnBean(MissingValues.class)
public final class HiLoRestAutoConfiguration {

	HiLoRestAutoConfiguration() {
	}

	/**
	 * There beside converters of the application's own, which are asked first: Spring
	 * Data REST takes the first one that supports a type.
	 */
	@Bean
	HiLoBackendIdConverter hiLoBackendIdConverter(MissingValues values) {
		return new HiLoBackendIdConverter(values::areTextIdsAssigned);
	}

}

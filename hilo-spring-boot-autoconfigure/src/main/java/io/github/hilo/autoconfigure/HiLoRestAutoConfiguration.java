package io.github.hilo.autoconfigure;

import java.util.List;

import io.github.hilo.internal.mapping.MappingReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
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
@ConditionalOnBean(MappingReport.class)
public final class HiLoRestAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(HiLoRestAutoConfiguration.class);

	HiLoRestAutoConfiguration() {
	}

	/**
	 * Adds a converter after those of the application. Spring Data REST calls the first
	 * converter that supports a type.
	 */
	@Bean
	HiLoBackendIdConverter hiLoBackendIdConverter(MappingReport report) {
		return new HiLoBackendIdConverter((type) -> report.areTextIdsAssigned(type, (sequence) -> true));
	}

	/**
	 * Warns about associations, because Spring Data REST calls no converter for the ids
	 * in their URLs.
	 */
	@Bean
	SmartInitializingSingleton hiLoAssociations(MappingReport report, HiLoProperties properties) {
		return () -> {
			// The name of a sequence can contain the slash, too.
			List<String> associations = report
				.associationsWithTextIds((sequence) -> properties.formatOf(sequence).head().contains("/"));
			if (!associations.isEmpty()) {
				logger.warn("Spring Data REST does not store an association by a URL whose id contains '/', and still"
						+ " returns 201 or 204: {}. Set hilo.identity-parts-separator to '-' before the first id is"
						+ " stored, or set the associations in a controller of your own", associations);
			}
		};
	}

}

package io.github.hilo.benchmarks;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * The application that is measured: Spring Boot with its auto-configurations, so that
 * what runs is what users run.
 */
final class Shop {

	private Shop() {
	}

	/**
	 * Starts the application.
	 * @param uri the server
	 * @param database the database of this shop alone
	 * @param more a further configuration class
	 * @param properties such as {@code hilo.enabled=false}
	 */
	static ConfigurableApplicationContext start(String uri, String database, Class<?> more, String... properties) {
		return new SpringApplicationBuilder(Application.class, more).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.addCommandLineProperties(false)
			.properties("logging.level.root=warn", "spring.mongodb.uri=" + uri + "/" + database)
			.properties(properties)
			.run();
	}

	/**
	 * What an application has that configures nothing.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

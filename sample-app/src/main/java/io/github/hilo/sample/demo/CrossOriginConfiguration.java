package io.github.hilo.sample.demo;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Lets the page of one shop work another, for the origins that may read its actuator.
 */
@Configuration(proxyBeanMethods = false)
class CrossOriginConfiguration implements WebMvcConfigurer {

	private final String[] origins;

	CrossOriginConfiguration(@Value("${management.endpoints.web.cors.allowed-origin-patterns}") String[] origins) {
		this.origins = origins;
	}

	@Override
	public void addCorsMappings(CorsRegistry registry) {
		// Only a shop's own page starts and ends processes.
		registry.addMapping("/second").allowedOrigins();
		registry.addMapping("/**").allowedOriginPatterns(this.origins).allowedMethods("GET", "POST", "DELETE");
	}

}

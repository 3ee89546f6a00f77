package io.github.hilo.sample.demo;

import com.mongodb.ConnectionString;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.mongodb.autoconfigure.MongoProperties;
import org.springframework.stereotype.Component;

/**
 * Names the shop's database where neither {@code spring.mongodb.database} nor
 * {@code spring.mongodb.uri} does: a default of the former would win over the latter.
 */
@Component
class DefaultDatabase implements BeanPostProcessor {

	private static final String NAME = "shop";

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (bean instanceof MongoProperties properties && properties.getDatabase() == null
				&& !namesDatabase(properties.getUri())) {
			properties.setDatabase(NAME);
		}
		return bean;
	}

	private static boolean namesDatabase(@Nullable String uri) {
		return uri != null && new ConnectionString(uri).getDatabase() != null;
	}

}

package io.github.hilo.autoconfigure;

import io.github.hilo.data.HiLoResync;
import io.github.hilo.engine.DefaultHiLoIdGenerator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The life of the generator, whichever driver it goes through; a generator of the user's
 * has its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(DefaultHiLoIdGenerator.class)
class HiLoLifecycleConfiguration {

	@Bean
	HiLoLifecycle hiLoLifecycle(DefaultHiLoIdGenerator generator, HiLoProperties properties,
			ObjectProvider<HiLoResync> resync) {
		return new HiLoLifecycle(generator, properties.warmUp(),
				new StartUpResync(properties.resync(), resync::getObject));
	}

}

package io.github.hilo.autoconfigure;

import io.github.hilo.data.HiLoResync;
import io.github.hilo.data.MappedSequenceNames;
import io.github.hilo.engine.DefaultHiLoIdGenerator;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Raising counters to the ids that are stored already, through the generator's driver.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(DefaultHiLoIdGenerator.class)
class HiLoResyncConfiguration {

	@Bean
	@ConditionalOnMissingBean
	HiLoResync hiLoResync(DefaultHiLoIdGenerator generator, MappedSequenceNames names) {
		return new HiLoResync(generator, generator::storedIds, names);
	}

}

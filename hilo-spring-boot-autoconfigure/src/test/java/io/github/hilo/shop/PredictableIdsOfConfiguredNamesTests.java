package io.github.hilo.shop;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;

@Thorough
@OnTestServer
@DataMongoTest(properties = { "hilo.naming=raven", "hilo.node-tag=B", "hilo.identity-parts-separator=-" })
class PredictableIdsOfConfiguredNamesTests {

	@Test
	void savesAndCallersCountInTheSameSequence(@Autowired MongoOperations template, @Autowired HiLoIdGenerator ids) {
		assertThat(template.insert(new LineItem(null, "book")).id()).isEqualTo("LineItems-1-B");
		assertThat(ids.nextDocumentId(LineItem.class)).isEqualTo("LineItems-2-B");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class PredictableIds {

		@Bean
		InMemoryHiLoIdGenerator ids(MongoMappingContext mappings, HiLoNamingStrategy naming, Environment environment) {
			return new InMemoryHiLoIdGenerator(mappings, naming, environment);
		}

	}

}

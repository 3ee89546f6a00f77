package io.github.hilo;

import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.fixture.MongoTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class SmokeTests {

	record Order(@org.jspecify.annotations.Nullable String id, String name) {
	}

	@Test
	void works() {
		String db = MongoTestServer.newDatabaseName();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
					HiLoAutoConfiguration.class))
			.withPropertyValues("spring.mongodb.uri=" + MongoTestServer.uri(), "spring.mongodb.database=" + db)
			.run((context) -> {
				MongoTemplate template = context.getBean(MongoTemplate.class);
				Order order = template.insert(new Order(null, "x"));
				assertThat(order.id()).isEqualTo("order/1-A");
			});
		System.out.println(MongoTestServer.client().getDatabase(db).getCollection("@hilo").find().first());
	}

}

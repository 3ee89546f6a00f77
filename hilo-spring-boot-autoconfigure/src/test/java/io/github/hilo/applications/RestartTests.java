package io.github.hilo.applications;

import java.util.function.Supplier;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.OverridingClassLoader;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that is restarted within its JVM, as Spring Boot's devtools do after a
 * change: its classes come from a new class loader, those of the libraries stay.
 */
@Thorough
class RestartTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void restartedApplicationGoesOnWithTheNextId() {
		for (int id = 1; id <= 3; id++) {
			String expected = "orders/" + id + "-A";
			ClassLoader classLoader = newClassLoader();
			Class<?> application = ClassUtils.resolveClassName(Application.class.getName(), classLoader);
			assertThat(application).isNotSameAs(Application.class);
			this.database.contextRunner()
				.withClassLoader(classLoader)
				.withUserConfiguration(application)
				.run((context) -> assertThat(context.getBean("orders", Supplier.class).get()).isEqualTo(expected));
		}
		assertThat(this.database.collection("@hilo").find().first()).containsEntry("Max", 3L);
	}

	private static ClassLoader newClassLoader() {
		return new OverridingClassLoader(RestartTests.class.getClassLoader()) {

			@Override
			protected boolean isEligibleForOverriding(String className) {
				return className.startsWith(Application.class.getName());
			}

		};
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		/**
		 * Stores an order and tells its id. Only types of the JDK are the same in both
		 * class loaders.
		 */
		@Bean
		Supplier<String> orders(MongoTemplate template) {
			return () -> String.valueOf(template.insert(new Order(null, "Ada")).id());
		}

		@Document("orders")
		record Order(@Id @Nullable String id, String customer) {
		}

	}

}

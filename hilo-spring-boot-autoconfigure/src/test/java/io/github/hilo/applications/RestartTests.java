package io.github.hilo.applications;

import java.util.function.Supplier;

import io.github.hilo.fixture.ApplicationDatabase;
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
class RestartTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void restartedApplicationGoesOnWithTheNextId() {
		assertThat(placeOrders(newClassLoader(), 2)).isEqualTo("orders/2-A");
		assertThat(placeOrders(newClassLoader(), 1)).isEqualTo("orders/3-A");
		assertThat(placeOrders(newClassLoader(), 1)).isEqualTo("orders/4-A");
		assertThat(this.database.collection("@hilo").find().first()).containsEntry("Max", 4L);
	}

	@Test
	void typesOfTwoClassLoadersCountInOneSequenceAtTheSameTime() {
		run(newClassLoader(), (orders) -> {
			assertThat(orders.get()).isEqualTo("orders/1-A");
			assertThat(placeOrders(newClassLoader(), 1)).as("has a range of its own").isEqualTo("orders/33-A");
			assertThat(orders.get()).isEqualTo("orders/2-A");
		});
	}

	private @Nullable Object placeOrders(ClassLoader classLoader, int count) {
		Object[] last = new Object[1];
		run(classLoader, (orders) -> {
			for (int i = 0; i < count; i++) {
				last[0] = orders.get();
			}
		});
		return last[0];
	}

	private void run(ClassLoader classLoader, OrdersTest test) {
		Class<?> application = ClassUtils.resolveClassName(Application.class.getName(), classLoader);
		assertThat(application).isNotSameAs(Application.class);
		this.database.contextRunner()
			.withClassLoader(classLoader)
			.withUserConfiguration(application)
			.run((context) -> test.run(context.getBean("orders", Supplier.class)));
	}

	private static ClassLoader newClassLoader() {
		return new OverridingClassLoader(RestartTests.class.getClassLoader()) {

			@Override
			protected boolean isEligibleForOverriding(String className) {
				return className.startsWith(Application.class.getName());
			}

		};
	}

	@FunctionalInterface
	private interface OrdersTest {

		void run(Supplier<?> orders);

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

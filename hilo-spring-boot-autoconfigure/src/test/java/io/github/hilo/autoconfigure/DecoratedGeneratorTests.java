package io.github.hilo.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.actuate.HiLoEndpoint;
import io.github.hilo.actuate.HiLoHealthIndicator;
import io.github.hilo.data.HiLoResync;
import io.github.hilo.fixture.ApplicationDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose {@link BeanPostProcessor} decorates the generator.
 */
class DecoratedGeneratorTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final List<String> calls = new ArrayList<>();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoEndpointAutoConfiguration.class, HiLoHealthAutoConfiguration.class,
				HiLoMetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(BeanPostProcessor.class, () -> new Decorating(this.calls))
		.withPropertyValues("management.endpoints.web.exposure.include=hilo", "hilo.warm-up=order");

	@Test
	void savesGoThroughTheDecorator() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).isEqualTo("order/1-A");
			assertThat(this.calls).containsExactly("nextDocumentId");
		});
	}

	@Test
	void everythingElseGoesOn() {
		this.contextRunner.run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("order");
			assertThat(context.getBean(HiLoEndpoint.class).sequence("order")).isNotNull();
			assertThat(context.getBean(HiLoHealthIndicator.class).health())
				.satisfies((health) -> assertThat(health.getStatus()).isEqualTo(Status.UP));
			assertThat(context.getBean(MeterRegistry.class).get("hilo.ids.issued").functionCounter().count())
				.isEqualTo(1);
			context.getBean(MongoTemplate.class).insert(new Order("order/50-A"));
			assertThat(context.getBean(HiLoResync.class).resync(Order.class)).isEqualTo(50);
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("order")).isEqualTo(51);
		});
		assertThat(this.calls).containsExactly("nextId", "nextId");
		assertThat(this.database.collection("@hilo").find().first()).isNotNull()
			.satisfies((counter) -> assertThat(counter.get("Max")).as("the rest was returned").isEqualTo(51L));
	}

	@Document("order")
	record Order(@Nullable String id) {
	}

	/**
	 * Notes each call of the generator.
	 */
	private record Decorating(List<String> calls) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (!(bean instanceof HiLoIdGenerator)) {
				return bean;
			}
			return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { HiLoIdGenerator.class },
					(proxy, method, arguments) -> {
						this.calls.add(method.getName());
						return method.invoke(bean, arguments);
					});
		}

	}

}

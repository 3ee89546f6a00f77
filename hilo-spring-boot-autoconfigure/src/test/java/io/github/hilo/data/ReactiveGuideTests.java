package io.github.hilo.data;

import java.time.Duration;
import java.util.List;

import io.github.hilo.fixture.TestApplications;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the code of {@code docs/reactive.md}.
 */
class ReactiveGuideTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	@Test
	void codeDoesWhatThePageSays() {
		this.applications.runReactive((app) -> {
			run(app.reactiveTemplate(), app.reactiveGenerator());
			secondTemplate(app.reactiveTemplate(), app.bean(ReactiveHiLoBeforeConvertCallback.class),
					app.reactiveGenerator());
		});
	}

	private static void run(ReactiveMongoTemplate template, ReactiveHiLoIdGenerator ids) {
		Mono<Order> saved = template.insert(new Order(null, "Ada"));
		Mono<String> id = ids.nextDocumentId(Order.class);
		assertThat(saved.map((order) -> String.valueOf(order.id())).block(PATIENCE)).isEqualTo("orders/1-A");
		assertThat(id.block(PATIENCE)).isEqualTo("orders/2-A");
		Mono<long[]> numbers = ids.nextIds(Order.class, 1000);
		Mono<List<String>> documentIds = ids.nextDocumentIds("orders", 1000);
		assertThat(numbers.block(PATIENCE)).hasSize(1000).startsWith(3);
		assertThat(documentIds.block(PATIENCE)).hasSize(1000).startsWith("orders/1003-A");
		Mono<Long> counter = ids.ensureAtLeast(Order.class, 5000);
		assertThat(counter.block(PATIENCE)).isGreaterThanOrEqualTo(5000);
	}

	private static void secondTemplate(ReactiveMongoTemplate template, ReactiveHiLoBeforeConvertCallback callback,
			ReactiveHiLoIdGenerator generator) {
		template
			.setEntityCallbacks(ReactiveEntityCallbacks.create(callback.withGenerator(generator.forDatabase("audit"))));
	}

	@Document("orders")
	record Order(@Nullable String id, String customer) {
	}

}

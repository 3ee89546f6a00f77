package io.github.hilo.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances of an application that number their invoices in strict order.
 */
@Thorough
class InvoicesInOrderTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.database.contextRunner()
		.withPropertyValues("hilo.sequences.invoices.consecutive=true", "hilo.warm-up=invoices");

	@Test
	void invoicesHaveTheNumbersOfTheirOrder() {
		this.application.run((one) -> this.application.run((other) -> {
			List<Long> numbers = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				numbers.add(invoice(one));
				numbers.add(invoice(other));
				numbers.add(invoice(other));
			}
			assertThat(numbers).isSorted().startsWith(1L, 2L, 3L).endsWith(15L);
		}));
	}

	private static long invoice(ApplicationContext context) {
		Invoice saved = context.getBean(MongoTemplate.class).insert(new Invoice(null, "Ada"));
		return Objects.requireNonNull(saved.number());
	}

}

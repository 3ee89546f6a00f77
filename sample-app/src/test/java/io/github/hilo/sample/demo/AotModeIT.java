package io.github.hilo.sample.demo;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shop's jar on the bean definitions that {@code process-aot} generated, instead of
 * those that the JVM would find at start-up.
 */
class AotModeIT {

	@Test
	void idsAndEndpointAreAsWithoutAot() throws IOException, InterruptedException {
		try (ShopProcess shop = ShopProcess.start("-Dspring.aot.enabled=true")) {
			assertThat(shop.post("/orders?count=2").valueStream().map((order) -> order.path("id").asString()))
				.containsExactly("orders/1-A", "orders/2-A");
			assertThat(shop.get("/orders/orders/1-A").path("id").asString()).isEqualTo("orders/1-A");
			assertThat(shop.post("/invoices").path("id").asLong()).isEqualTo(1);
			assertThat(shop.post("/customers").path("number").asLong()).isEqualTo(1);
			JsonNode hilo = shop.get("/actuator/hilo");
			assertThat(hilo.path("nodeTag").asString()).isEqualTo("A");
			JsonNode orders = hilo.path("databases").path("shop").path("orders");
			assertThat(orders.path("document").asString()).isEqualTo("Raven/HiLo/orders");
			assertThat(orders.path("range").path("last").asLong()).isEqualTo(2);
			JsonNode invoices = shop.get("/actuator/hilo/invoices").path("databases").path("shop").path("invoices");
			assertThat(invoices.path("issued").asLong()).isEqualTo(1);
			assertThat(shop.output()).as("%s", shop)
				.anyMatch((line) -> line.contains("Starting AOT-processed ShopApplication"));
			assertThat(shop.stop()).as("exit status of %s", shop).isEqualTo(ShopProcess.EXIT_SIGTERM);
		}
	}

}

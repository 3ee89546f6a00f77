package io.github.hilo.sample;

import org.springframework.boot.SpringApplication;

/**
 * The shop on a MongoDB in a container. It needs Docker:
 * {@code mvn -pl sample-app -am spring-boot:test-run}.
 */
class TestShopApplication {

	public static void main(String[] args) {
		SpringApplication.from(ShopApplication::main).with(ContainersConfiguration.class).run(args);
	}

}

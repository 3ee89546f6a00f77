package io.github.hilo.sample.embedded;

import java.util.Arrays;
import java.util.stream.Stream;

import io.github.hilo.sample.ShopApplication;

import org.springframework.boot.SpringApplication;

/**
 * The shop on a MongoDB in a container. It needs Docker:
 * {@code mvn -pl sample-app -am spring-boot:test-run}.
 */
class TestShopApplication {

	public static void main(String[] args) {
		// The fixtures of the tests log less.
		SpringApplication.from(ShopApplication::main)
			.with(ContainersConfiguration.class)
			.run(Stream.concat(Stream.of("--logging.level.root=info"), Arrays.stream(args)).toArray(String[]::new));
	}

}

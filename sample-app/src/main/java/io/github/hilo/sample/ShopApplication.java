package io.github.hilo.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * The shop.
 */
@SpringBootApplication
class ShopApplication {

	private static final Logger logger = LoggerFactory.getLogger(ShopApplication.class);

	public static void main(String[] args) {
		SpringApplication.run(ShopApplication.class, args);
	}

	@EventListener
	void sayWhatToTry(ApplicationReadyEvent event) {
		String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
		logger.info("""
				The shop is open. See http://localhost:{port}, or try
				  curl -X POST 'http://localhost:{port}/orders?count=3'
				  curl http://localhost:{port}/orders
				  curl http://localhost:{port}/orders/orders/1-A
				  curl -X POST http://localhost:{port}/invoices
				  curl http://localhost:{port}/actuator/hilo""".replace("{port}", String.valueOf(port)));
	}

}

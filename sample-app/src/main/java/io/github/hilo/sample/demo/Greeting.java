package io.github.hilo.sample.demo;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Says what to try.
 */
@Component
class Greeting {

	private static final Logger logger = LoggerFactory.getLogger(Greeting.class);

	@EventListener
	void say(ApplicationReadyEvent event) {
		String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
		logger.info("""
				The shop is open. See http://localhost:{port}, or try
				  curl -X POST http://localhost:{port}/orders
				  curl -X POST 'http://localhost:{port}/orders?count=3'
				  curl http://localhost:{port}/orders/orders/1-A
				  curl -X POST http://localhost:{port}/invoices
				  curl http://localhost:{port}/actuator/hilo""".replace("{port}", String.valueOf(port)));
	}

}

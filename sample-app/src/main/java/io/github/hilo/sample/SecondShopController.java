package io.github.hilo.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Starts and ends the second shop for this shop's own page.
 */
@RestController
@RequestMapping("/second")
class SecondShopController {

	private final SecondShop second;

	private final NodeController nodes;

	SecondShopController(SecondShop second, NodeController nodes) {
		this.second = second;
		this.nodes = nodes;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	NodeController.Node start() {
		this.second.start();
		return this.nodes.node();
	}

	@DeleteMapping
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void end(@RequestParam(defaultValue = "false") boolean kill) {
		if (kill) {
			this.second.kill();
		}
		else {
			this.second.stop();
		}
	}

}

package io.github.hilo.sample;

import io.github.hilo.HiLoIdGenerator;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Returns unused ranges for the page. The actuator's endpoint can, too, but an
 * application that lets it write also lets it raise counters, which cannot be undone.
 */
@RestController
class RangeController {

	private final HiLoIdGenerator ids;

	RangeController(HiLoIdGenerator ids) {
		this.ids = ids;
	}

	@DeleteMapping("/ranges")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void release() {
		this.ids.release();
	}

}

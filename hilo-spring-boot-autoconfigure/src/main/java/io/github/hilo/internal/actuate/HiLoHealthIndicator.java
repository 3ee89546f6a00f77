package io.github.hilo.internal.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} that is up while ids can be issued. It is down if a reservation
 * or a find of a sequence failed, and no range with numbers left is covered in any place.
 * Each check then sends again what failed last, except for a consecutive sequence. So
 * health is up soon after MongoDB is back, even if no id is needed.
 */
public final class HiLoHealthIndicator extends AbstractHealthIndicator {

	private final HiLoEngine engine;

	public HiLoHealthIndicator(HiLoEngine engine) {
		super("HiLo health check failed");
		this.engine = engine;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		this.engine.checkHealth().forEach((database, sequences) -> {
			Map<String, Object> details = new LinkedHashMap<>();
			sequences.forEach((sequence, shown) -> {
				details.put(sequence, detailsOf(shown));
				if (!shown.available()) {
					builder.down();
				}
			});
			builder.withDetail(database, details);
		});
	}

	private static Map<String, Object> detailsOf(SequenceSnapshot shown) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("remaining", shown.remaining());
		if (!shown.available() && shown.failure() != null) {
			details.put("failedAt", shown.failure().time());
			details.put("failure", shown.failure().message());
		}
		return details;
	}

}

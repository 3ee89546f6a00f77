package io.github.hilo.internal.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} that is up while ids can be issued. It is down when the last
 * reservation of a sequence failed and its range is used up; then it asks for a range
 * again (of a consecutive sequence it reads the counter), so that it is up soon after
 * MongoDB is back, whether or not ids are asked for.
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
			if (!details.isEmpty()) {
				builder.withDetail(database, details);
			}
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

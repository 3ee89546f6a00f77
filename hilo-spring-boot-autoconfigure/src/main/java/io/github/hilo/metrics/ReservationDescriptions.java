package io.github.hilo.metrics;

import java.util.Map;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import org.jspecify.annotations.Nullable;

/**
 * Describes the timers of {@link HiLoMetrics#RESERVATION}, which observations create
 * without a description. Internal. It belongs to a registry before its first meter.
 *
 * @hidden
 */
public final class ReservationDescriptions implements MeterFilter {

	private static final Map<String, String> DESCRIPTIONS = Map.of(HiLoMetrics.RESERVATION,
			"Requests for a range, from the request to the answer", HiLoMetrics.RESERVATION + ".active",
			"Requests for a range that are not answered yet");

	@Override
	public Meter.Id map(Meter.Id id) {
		@Nullable String description = DESCRIPTIONS.get(id.getName());
		return (description == null) ? id : new Meter.Id(id.getName(), Tags.of(id.getTagsAsIterable()),
				id.getBaseUnit(), description, id.getType());
	}

}

package io.github.hilo.internal.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/**
 * Adds a description to the timer of the observations {@link HiLoMetrics#RESERVATION},
 * and drops their second timer, of observations under way. A registry must have this
 * filter before its first meter.
 */
public final class ReservationMeterFilter implements MeterFilter {

	@Override
	public MeterFilterReply accept(Meter.Id id) {
		return id.getName().equals(HiLoMetrics.RESERVATION + ".active") ? MeterFilterReply.DENY
				: MeterFilterReply.NEUTRAL;
	}

	@Override
	public Meter.Id map(Meter.Id id) {
		return !id.getName().equals(HiLoMetrics.RESERVATION) ? id
				: new Meter.Id(id.getName(), Tags.of(id.getTagsAsIterable()), id.getBaseUnit(),
						"Reservations, from the request to the response", id.getType());
	}

}

package io.github.hilo.internal.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/**
 * Describes the timer that observations of {@link HiLoMetrics#RESERVATION} create, and
 * leaves out the other one, of those under way. It belongs to a registry before its first
 * meter.
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
						"Reservations, from the request to the answer", id.getType());
	}

}

package io.github.hilo.benchmarks;

import java.util.ArrayList;
import java.util.List;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;

/**
 * How many reservations a number of ids takes, at a pace that a clock of our own sets.
 */
final class RoundTrips {

	private static final long[] IDS = { 1_000_000, 100_000_000 };

	private static final long[] RATES = { 100, 10_000, 1_000_000 };

	/**
	 * Where the table would only show the same again.
	 */
	private static final double LONGEST_SECONDS = 100_000;

	private RoundTrips() {
	}

	static void measure(Report report) {
		report.heading("Round trips");
		List<List<String>> rows = new ArrayList<>();
		for (long rate : RATES) {
			for (long ids : IDS) {
				if (ids / (double) rate <= LONGEST_SECONDS) {
					long reservations = reservations(ids, rate);
					rows.add(List.of(Report.count(rate), Report.count(ids), Report.count(reservations),
							Report.number(ids / (double) reservations)));
					report.ratio("idsPerRoundTrip", "ids=" + ids + ",rate=" + rate, "incPerId",
							ids / (double) reservations);
				}
			}
		}
		report.table(List.of("ids per second", "ids", "reservations", "ids per reservation"), rows);
	}

	static long reservations(long ids, long rate) {
		return reservations(ids, rate, InMemory.MAX_SIZE);
	}

	/**
	 * Takes ids one by one, so many per second of a virtual clock.
	 */
	static long reservations(long ids, long rate, long maxSize) {
		VirtualClock clock = new VirtualClock();
		long pauseNanos = 1_000_000_000L / rate;
		try (HiLoEngine engine = InMemory.engine(InMemory.INITIAL_SIZE, maxSize, clock)) {
			HiLoIdGenerator generator = engine.generator();
			for (long id = 0; id < ids; id++) {
				generator.nextId("orders");
				clock.advance(pauseNanos);
			}
			return InMemory.reservations(engine, "orders");
		}
	}

}

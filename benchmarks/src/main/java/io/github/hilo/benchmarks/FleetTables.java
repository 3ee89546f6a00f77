package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A thousand processes that count in one document: how often they reserve, and where the
 * document can take no more.
 */
final class FleetTables implements BenchmarkMain.Harness {

	private static final int PROCESSES = 1000;

	private static final double[] RATES = { 1e4, 1e5, 1e6, 1e7, 1e8 };

	private static final long[] MAX_SIZES = { 1024, 32_768, 1_048_576 };

	/**
	 * What a document may have to do, so that a burst finds room.
	 */
	private static final double COMFORTABLE_SHARE = 0.5;

	@Override
	public void run(Effort effort, Report report) throws InterruptedException {
		requireSameAsLibrary();
		double capacity = CounterCapacity.perSecond(Duration.ofSeconds(effort.choose(2, 5)),
				Duration.ofSeconds(effort.choose(3, 10)));
		report.heading("A fleet of " + Report.count(PROCESSES) + " processes on one counter document");
		report.say("Simulated with the library's rules for sizes and prefetching. The document stands "
				+ Report.number(capacity) + " reservations per second: measured on mongo-java-server, 8 threads,"
				+ " in this process. A replica set that writes to a majority has another figure; measure it.");
		report.say("");
		List<List<String>> rows = new ArrayList<>();
		for (double rate : RATES) {
			for (long maxSize : MAX_SIZES) {
				rows.add(row(rate, maxSize, capacity, effort, report));
			}
		}
		report.table(List.of("ids per second", "max-size", "asked for, reservations/s", "served, reservations/s",
				"share of capacity", "ids issued", "waits per process and hour", "longest wait at the cold start",
				"longest wait after", "verdict"), rows);
		report.say("reservations/s = ids/s / size of a range. The size settles where a range lasts 30 to 60 s,"
				+ " or at max-size. So it is about the larger of ids/s / max-size and"
				+ " processes / 60 s to processes / 30 s, whatever the id rate. It saturates where"
				+ " ids/s / max-size reaches what the document stands; set max-size to at least"
				+ " 2 x ids/s / capacity to use half of it.");
	}

	private static List<String> row(double rate, long maxSize, double capacity, Effort effort, Report report) {
		Fleet.Outcome outcome = Fleet.simulate(PROCESSES, rate, maxSize, capacity,
				seconds(Math.min(capacity, rate / maxSize + PROCESSES / 30.0), effort));
		double demand = Math.max(rate / maxSize, outcome.reservationsPerSecond());
		double share = demand / capacity;
		report.ratio("reservationsPerSecond", "ids=" + (long) rate + ",max-size=" + maxSize, "capacity", share);
		return List.of(Report.count((long) rate), Report.count(maxSize), Report.number(demand),
				Report.number(outcome.reservationsPerSecond()), percent(share), percent(outcome.issued()),
				Report.number(outcome.waitsPerHour()), Report.number(outcome.coldWaitMillis()) + " ms",
				Report.number(outcome.steadyWaitMillis()) + " ms", verdict(rate, capacity, share));
	}

	private static String verdict(double rate, double capacity, double share) {
		if (share <= COMFORTABLE_SHARE) {
			return "fine";
		}
		long enough = Long.highestOneBit((long) Math.ceil(rate / (COMFORTABLE_SHARE * capacity)) * 2 - 1);
		return ((share < 1) ? "tight" : "saturated") + ": set max-size to " + Report.count(enough);
	}

	/**
	 * Long enough for ranges to settle, as far as the number of events allows: the more
	 * there are, the sooner they settle.
	 */
	private static long seconds(double reservationsPerSecond, Effort effort) {
		long fitting = (long) (effort.choose(300_000, 3_000_000) / reservationsPerSecond);
		return Math.max(effort.choose(30, 120), Math.min(fitting, 1200));
	}

	private static String percent(double share) {
		return String.format(Locale.ROOT, "%.1f %%", share * 100);
	}

	/**
	 * Makes sure that the simulation counts as the library does.
	 */
	private static void requireSameAsLibrary() {
		for (long rate : new long[] { 1, 10, 100, 1000, 10_000, 100_000 }) {
			for (long maxSize : MAX_SIZES) {
				long ids = Math.min(1_000_000, rate * 3600);
				long library = RoundTrips.reservations(ids, rate, maxSize);
				long simulated = Fleet.reservations(ids, rate, maxSize);
				if (library != simulated) {
					throw new IllegalStateException("At " + rate + " ids/s with max-size " + maxSize
							+ " the library took " + library + " reservations, and the simulation " + simulated);
				}
			}
		}
	}

}

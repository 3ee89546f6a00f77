package io.github.hilo.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;

/**
 * How long callers wait for an id when the server is some way off.
 */
final class StallTables implements BenchmarkMain.Harness {

	private static final double[] PERCENTILES = { 50, 99, 99.9, 99.99, 100 };

	@Override
	public void run(Effort effort, Report report) throws IOException, InterruptedException {
		// What is measured is a sequence that is new, not a JVM that is.
		for (Contender contender : Contender.values()) {
			measure(contender, 1, 10_000, 300, 0);
		}
		for (int delay : effort.choose(new int[] { 20 }, new int[] { 1, 5, 20 })) {
			List<List<String>> steady = new ArrayList<>();
			List<List<String>> ramp = new ArrayList<>();
			for (int rate : effort.choose(new int[] { 10_000, 100_000 }, new int[] { 1000, 10_000, 100_000 })) {
				Map<Contender, OpenLoop.Outcome> outcomes = new EnumMap<>(Contender.class);
				for (Contender contender : Contender.values()) {
					OpenLoop.Outcome outcome = measure(contender, delay, rate, effort.choose(1000, 2000),
							effort.choose(2000, 8000));
					outcomes.put(contender, outcome);
					List<String> row = row(contender, rate, outcome, outcome.steady(), outcome.steadyStalls());
					row.add(inCall(outcome));
					steady.add(row);
					ramp.add(row(contender, rate, outcome, outcome.ramp(), outcome.rampStalls()));
				}
				compare(outcomes, "rate=" + rate + ",delay=" + delay + "ms", report);
			}
			report.heading("Latency in ms, " + delay + " ms each way, after warm-up");
			report.say("Round trip as measured: " + millis(roundTripNanos(delay)) + " ms");
			report.say("");
			print(steady, List.of("p99.99 in the call, µs"), report);
			report.heading("Latency in ms, " + delay + " ms each way, the first " + effort.choose(1, 2) + " s");
			print(ramp, List.of(), report);
		}
		report.say("Calls in an open loop, counted from their place in the schedule. '>': saturated, the latency"
				+ " grows as long as it is measured. Stalls: waits for the server, of any number of callers."
				+ " The row of nothing shows what the machine adds to every row. The time in the call is without"
				+ " the machine's delay in starting it, and stands only where nobody waited for the server.");
	}

	private static OpenLoop.Outcome measure(Contender contender, int delay, int rate, long rampMillis,
			long steadyMillis) throws IOException, InterruptedException {
		// What the run before left behind is not this one's to collect.
		System.gc();
		try (DelayedServer server = new DelayedServer(Duration.ofMillis(delay), contender.callers());
				IdSource source = contender.open(server)) {
			return OpenLoop.run(source, new OpenLoop.Load(contender.callers(), rate, rampMillis, steadyMillis,
					TimeUnit.MILLISECONDS.toNanos(2L * delay)));
		}
	}

	private static long roundTripNanos(int delay) throws IOException {
		try (DelayedServer server = new DelayedServer(Duration.ofMillis(delay), 1)) {
			return server.roundTripNanos();
		}
	}

	private static List<String> row(Contender contender, int rate, OpenLoop.Outcome outcome, Histogram latencies,
			OpenLoop.Stalls stalls) {
		List<String> row = new ArrayList<>(List.of(Report.count(rate), contender.label()));
		for (double percentile : PERCENTILES) {
			row.add((outcome.isSaturated() ? "> " : "") + millis(latencies.getValueAtPercentile(percentile)));
		}
		boolean always = contender.isCommandEach();
		row.add(always ? "every id" : Report.count(stalls.count()));
		row.add((always || stalls.count() == 0) ? "" : millis(stalls.lastNanos()));
		row.add(remark(outcome));
		return row;
	}

	/**
	 * Only where nobody waited for the server: a wait delays the calls behind it, which
	 * this figure doesn't count.
	 */
	private static String inCall(OpenLoop.Outcome outcome) {
		return (outcome.steadyStalls().count() > 0 || outcome.isSaturated()) ? ""
				: Report.number(outcome.steadyInCall().getValueAtPercentile(99.99) / 1e3);
	}

	private static String remark(OpenLoop.Outcome outcome) {
		if (outcome.failed() > 0) {
			return Report.count(outcome.failed()) + " calls failed";
		}
		return outcome.isSaturated()
				? "saturated: " + Math.round(100.0 * outcome.issued() / outcome.scheduled()) + " % issued" : "";
	}

	private static String millis(long nanos) {
		return Report.number(nanos / 1e6);
	}

	private static void print(List<List<String>> rows, List<String> more, Report report) {
		List<String> columns = new ArrayList<>(
				List.of("ids/s", "ids from", "p50", "p99", "p99.9", "p99.99", "max", "stalls", "last at", "remark"));
		columns.addAll(more);
		report.table(columns, rows);
	}

	private static void compare(Map<Contender, OpenLoop.Outcome> outcomes, String conditions, Report report) {
		OpenLoop.Outcome own = outcomes.get(Contender.HILO);
		outcomes.forEach((contender, peer) -> {
			if (contender != Contender.HILO && own != null) {
				report.ratio("p99.99", conditions, contender.label(), ratio(own.steady(), peer.steady(), 99.99));
				report.ratio("p99.99-from-cold", conditions, contender.label(), ratio(own.ramp(), peer.ramp(), 99.99));
			}
		});
	}

	private static double ratio(Histogram own, Histogram peer, double percentile) {
		return (double) own.getValueAtPercentile(percentile) / peer.getValueAtPercentile(percentile);
	}

}

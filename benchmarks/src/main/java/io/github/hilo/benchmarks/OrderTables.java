package io.github.hilo.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many ids per second one process gets at most: in strict order, and from one
 * {@code $inc} per id.
 */
final class OrderTables implements BenchmarkMain.Harness {

	private static final List<Contender> CONTENDERS = List.of(Contender.HILO_CONSECUTIVE, Contender.INCREMENT);

	private static final int[] ONE_WAY_MICROS = { 1000, 2500 };

	private static final int[] CALLERS = { 1, 4, 16, 64 };

	/**
	 * No caller waits for a connection.
	 */
	private static final int CONNECTIONS = 66;

	@Override
	public void run(Effort effort, Report report) throws IOException, InterruptedException {
		report.heading("Ids per second from one process");
		long millis = effort.choose(1000, 4000);
		List<List<String>> rows = new ArrayList<>();
		// Otherwise the first row would measure code that is not compiled yet.
		for (Contender contender : CONTENDERS) {
			rate(contender, Duration.ofNanos(1000L * ONE_WAY_MICROS[0]), 1, millis);
		}
		for (int micros : ONE_WAY_MICROS) {
			Duration oneWay = Duration.ofNanos(1000L * micros);
			for (int callers : CALLERS) {
				List<String> row = new ArrayList<>(List.of(roundTrip(oneWay), String.valueOf(callers)));
				double[] rates = new double[CONTENDERS.size()];
				for (int i = 0; i < rates.length; i++) {
					rates[i] = rate(CONTENDERS.get(i), oneWay, callers, millis);
					row.add(Report.number(rates[i]));
				}
				report.ratio("idsPerSecond,consecutive", "oneWayMicros=" + micros + ",callers=" + callers, "incPerId",
						rates[0] / rates[1]);
				row.add(Report.number(rates[0] / rates[1]));
				rows.add(row);
			}
		}
		report.table(List.of("round trip, ms", "callers", "HiLo, consecutive", "one $inc per id", "ratio"), rows);
	}

	private static double rate(Contender contender, Duration oneWay, int callers, long millis)
			throws IOException, InterruptedException {
		try (DelayedServer server = new DelayedServer(oneWay, CONNECTIONS); IdSource source = contender.open(server)) {
			ClosedLoop.run(source, callers, millis);
			return ClosedLoop.run(source, callers, millis) * 1000.0 / millis;
		}
	}

	private static String roundTrip(Duration oneWay) throws IOException {
		try (DelayedServer server = new DelayedServer(oneWay, 1)) {
			return Report.number(server.roundTripNanos() / 1e6);
		}
	}

}

package io.github.hilo.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How many numbers are reserved and never issued.
 */
final class WasteTables implements BenchmarkMain.Harness {

	/**
	 * Stands for as many as the callers can take.
	 */
	private static final int UNLIMITED = 0;

	private static final int[] RATES = { 1000, 10_000, UNLIMITED };

	@Override
	public void run(Effort effort, Report report) throws IOException, InterruptedException {
		long millis = effort.choose(2000, 8000);
		List<List<String>> rows = new ArrayList<>();
		for (int delay : effort.choose(new int[] { 1 }, new int[] { 1, 20 })) {
			for (int rate : RATES) {
				String name = (rate == UNLIMITED) ? "saturated" : Report.count(rate);
				Waste own = measure(Contender.HILO, delay, rate, millis);
				Waste peer = measure(Contender.COSID_CHAIN, delay, rate, millis);
				rows.add(row(Contender.HILO, delay, name, own));
				rows.add(row(Contender.COSID_CHAIN, delay, name, peer));
				report.ratio("waste-after-kill", "rate=" + name.replace(",", "") + ",delay=" + delay + "ms",
						Contender.COSID_CHAIN.label(), (double) own.afterKill / peer.afterKill);
			}
		}
		report.heading("Numbers reserved and never issued, after " + millis / 1000 + " s");
		report.table(List.of("each way", "ids/s", "ids from", "issued", "lost at a clean stop", "lost at a kill"),
				rows);
	}

	private static Waste measure(Contender contender, int delay, int rate, long millis)
			throws IOException, InterruptedException {
		try (DelayedServer server = new DelayedServer(Duration.ofMillis(delay), contender.callers());
				IdSource source = contender.open(server)) {
			long issued = issue(source, contender.callers(), delay, rate, millis);
			// A kill doesn't stop what is on its way to the server.
			Thread.sleep(4L * delay + 50);
			long reserved = source.reserved();
			source.stop();
			return new Waste(issued, source.reserved() - issued, reserved - issued);
		}
	}

	private static long issue(IdSource source, int callers, int delay, int rate, long millis)
			throws InterruptedException {
		if (rate == UNLIMITED) {
			return ClosedLoop.run(source, callers, millis);
		}
		long roundTripNanos = TimeUnit.MILLISECONDS.toNanos(2L * delay);
		return OpenLoop.run(source, new OpenLoop.Load(callers, rate, 0, millis, roundTripNanos)).issued();
	}

	private static List<String> row(Contender contender, int delay, String rate, Waste waste) {
		return List.of(delay + " ms", rate, contender.label(), Report.count(waste.issued),
				Report.count(waste.afterStop), Report.count(waste.afterKill));
	}

	/**
	 * What became of the numbers.
	 *
	 * @param issued how many were issued
	 * @param afterStop how many are lost if the process stops now
	 * @param afterKill how many are lost if it is killed now
	 */
	private record Waste(long issued, long afterStop, long afterKill) {
	}

}

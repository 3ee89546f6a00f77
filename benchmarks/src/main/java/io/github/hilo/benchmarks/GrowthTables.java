package io.github.hilo.benchmarks;

/**
 * What grows with an application: sequences, ids and the time that it takes to start.
 */
final class GrowthTables implements BenchmarkMain.Harness {

	@Override
	public void run(Effort effort, Report report) throws Exception {
		SequenceCosts.measure(effort, report);
		RoundTrips.measure(report);
		StartTimes.measure(effort, report);
	}

}

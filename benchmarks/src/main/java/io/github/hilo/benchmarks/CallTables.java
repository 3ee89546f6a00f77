package io.github.hilo.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What a call costs, for 1, 2 and 4 threads on one sequence.
 */
final class CallTables implements BenchmarkMain.Harness {

	private static final int[] THREADS = { 1, 2, 4 };

	private static final List<String> NUMBERS = List.of("hiloSequence", "hiloByName", "hiloByType");

	private static final List<String> PEERS = List.of("atomicLong", "ravendb", "cosIdSegment", "cosIdChain",
			"hibernatePooledLo", "hibernatePooledLoThreadLocal");

	@Override
	public void run(Effort effort, Report report) throws RunnerException {
		Map<String, Map<Integer, Double>> throughput = new LinkedHashMap<>();
		Map<String, Double> bytes = new TreeMap<>();
		for (int threads : THREADS) {
			for (RunResult run : measure(effort, threads)) {
				String name = run.getParams().getBenchmark();
				name = name.substring(name.lastIndexOf('.') + 1);
				throughput.computeIfAbsent(name, (absent) -> new TreeMap<>())
					.put(threads, run.getPrimaryResult().getScore());
				Result<?> allocated = run.getSecondaryResults().get("gc.alloc.rate.norm");
				if (threads == 1 && allocated != null) {
					bytes.put(name, allocated.getScore());
				}
			}
		}
		report.heading("Calls, in operations per microsecond");
		List<List<String>> rows = new ArrayList<>();
		throughput.forEach((name, scores) -> {
			List<String> row = new ArrayList<>(List.of(name));
			scores.values().forEach((score) -> row.add(Report.number(score)));
			row.add(String.valueOf(Math.round(bytes.getOrDefault(name, Double.NaN))));
			rows.add(row);
		});
		report.table(List.of("call", "1 thread", "2 threads", "4 threads", "bytes per call"), rows);
		for (int threads : THREADS) {
			String conditions = "threads=" + threads;
			for (String call : NUMBERS) {
				for (String peer : PEERS) {
					report.ratio(call, conditions, peer, ratio(throughput, call, peer, threads));
				}
			}
			report.ratio("hiloSequenceMetered", conditions, "hiloSequence",
					ratio(throughput, "hiloSequenceMetered", "hiloSequence", threads));
			report.ratio("hiloByNameMetered", conditions, "hiloByName",
					ratio(throughput, "hiloByNameMetered", "hiloByName", threads));
			report.ratio("hiloDocumentId", conditions, "objectId",
					ratio(throughput, "hiloDocumentId", "objectId", threads));
			report.ratio("hiloDocumentId", conditions, "randomUuid",
					ratio(throughput, "hiloDocumentId", "randomUuid", threads));
		}
	}

	private static double ratio(Map<String, Map<Integer, Double>> throughput, String call, String peer, int threads) {
		return score(throughput, call, threads) / score(throughput, peer, threads);
	}

	private static double score(Map<String, Map<Integer, Double>> throughput, String name, int threads) {
		return throughput.getOrDefault(name, Map.of()).getOrDefault(threads, Double.NaN);
	}

	private static Iterable<RunResult> measure(Effort effort, int threads) throws RunnerException {
		ChainedOptionsBuilder options = new OptionsBuilder().include(CallBenchmark.class.getName())
			.threads(threads)
			.forks(effort.choose(1, 3))
			.warmupIterations(effort.choose(1, 3))
			.measurementIterations(effort.choose(2, 5))
			.warmupTime(TimeValue.milliseconds(effort.choose(300, 500)))
			.measurementTime(TimeValue.milliseconds(effort.choose(300, 500)))
			.timeUnit(TimeUnit.MICROSECONDS)
			.addProfiler(GCProfiler.class)
			.verbosity(VerboseMode.SILENT);
		return new Runner(options.build()).run();
	}

}

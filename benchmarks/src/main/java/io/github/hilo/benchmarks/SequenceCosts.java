package io.github.hilo.benchmarks;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.TimeSource;

/**
 * What a sequence costs in memory, and what a call costs with many of them.
 */
final class SequenceCosts {

	private static final int[] COUNTS = { 1, 1000, 100_000 };

	/**
	 * So many sequences are made for every count, in several generators, that what the
	 * JVM does on the side drowns.
	 */
	private static final int SEQUENCES = 100_000;

	private static final int MOST_GENERATORS = 10_000;

	/**
	 * Uses up the first range and half of the second, so that the third is held as well.
	 */
	private static final int IDS_UNTIL_BUSY = 32 + 33;

	private static final int CALLS = 2_000_000;

	/**
	 * What the calls answer goes here, so that none of them can be left out.
	 */
	static volatile long sink;

	private SequenceCosts() {
	}

	static void measure(Effort effort, Report report) throws Exception {
		report.heading("Many sequences");
		long bytesOfGenerator = bytes(MOST_GENERATORS, 0, 0) / MOST_GENERATORS;
		List<List<String>> rows = new ArrayList<>();
		for (int count : COUNTS) {
			long bytes = bytesPerSequence(count, 1, bytesOfGenerator);
			long bytesBusy = bytesPerSequence(count, IDS_UNTIL_BUSY, bytesOfGenerator);
			Rounds rounds = timeOfCalls(count, effort);
			rows.add(List.of(Report.count(count), String.valueOf(bytes), String.valueOf(bytesBusy),
					Report.number(1000 / rounds.nanos("hilo", Elapsed.WALL)),
					Report.number(1000 / rounds.nanos("map", Elapsed.WALL)),
					rounds.describeSpeed("hilo", "map", Elapsed.CPU)));
			report.ratio("nextIdByName", "sequences=" + count, "mapOfAtomicLong",
					rounds.speed("hilo", "map", Elapsed.CPU));
			report.ratio("bytesPerSequence", "sequences=" + count, "1KiB", bytes / 1024.0);
			report.ratio("bytesPerBusySequence", "sequences=" + count, "1KiB", bytesBusy / 1024.0);
		}
		report.table(
				List.of("sequences", "bytes each, one range", "bytes each, two ranges",
						"nextId(name), calls per microsecond", "ConcurrentHashMap of AtomicLong", "ratio (quartiles)"),
				rows);
		report.say("The bytes are those of all that stays on the heap for a sequence, its name included, once it holds"
				+ " its first range, or its current and its next one. A generator without any takes " + bytesOfGenerator
				+ "; what its maps take for the first sequence is in the row of 1. The names of the calls come in random order, so that at 100,000 what is measured is the"
				+ " processor's caches.");
	}

	/**
	 * Measures what sequences add to generators.
	 */
	private static long bytesPerSequence(int count, int ids, long bytesOfGenerator) throws InterruptedException {
		int generators = Math.min(SEQUENCES / count, MOST_GENERATORS);
		return (bytes(generators, count, ids) / generators - bytesOfGenerator) / count;
	}

	private static long bytes(int generators, int count, int ids) throws InterruptedException {
		List<HiLoEngine> held = new ArrayList<>(generators);
		try {
			long before = usedAfterCollection();
			for (int i = 0; i < generators; i++) {
				held.add(newEngine(newNames(count), InMemory.INITIAL_SIZE, ids));
			}
			return usedAfterCollection() - before;
		}
		finally {
			Reference.reachabilityFence(held);
		}
	}

	/**
	 * Collects until nothing more goes: references are cleared one collection late.
	 */
	private static long usedAfterCollection() throws InterruptedException {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(20);
			least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
		}
		return least;
	}

	private static Rounds timeOfCalls(int count, Effort effort) throws Exception {
		String[] names = newNames(count);
		// Ranges so large that the calls measure no reservation.
		HiLoEngine engine = newEngine(names, InMemory.MAX_SIZE, 1);
		HiLoIdGenerator generator = engine.generator();
		Map<String, AtomicLong> map = new ConcurrentHashMap<>();
		for (String name : names) {
			map.put(name, new AtomicLong());
		}
		Collections.shuffle(Arrays.asList(names), new Random(count));
		Map<String, Rounds.Measurement> variants = Map.of("hilo", () -> timeOfCall(names, generator::nextId), "map",
				() -> timeOfCall(names,
						(name) -> map.computeIfAbsent(name, (absent) -> new AtomicLong()).incrementAndGet()));
		Rounds.measure(3, Duration.ofSeconds(1), variants);
		return Rounds.measure(effort.choose(9, 25), Duration.ofSeconds(effort.choose(2, 8)), variants);
	}

	private static Elapsed timeOfCall(String[] names, ToLongFunction<String> call) {
		long sum = 0;
		int next = 0;
		Elapsed start = Elapsed.sinceByThread();
		for (int i = 0; i < CALLS; i++) {
			sum += call.applyAsLong(names[next]);
			next = (next + 1 < names.length) ? next + 1 : 0;
		}
		Elapsed each = Elapsed.sinceByThread().per(start, CALLS);
		sink = sum;
		return each;
	}

	private static HiLoEngine newEngine(String[] names, long size, int ids) {
		HiLoEngine engine = InMemory.engine(size, InMemory.MAX_SIZE, TimeSource.SYSTEM);
		HiLoIdGenerator generator = engine.generator();
		for (String name : names) {
			for (int i = 0; i < ids; i++) {
				sink = generator.nextId(name);
			}
		}
		return engine;
	}

	private static String[] newNames(int count) {
		String[] names = new String[count];
		Arrays.setAll(names, (index) -> "sequence-" + index);
		return names;
	}

}

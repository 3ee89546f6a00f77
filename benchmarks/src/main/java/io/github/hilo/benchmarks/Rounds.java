package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * Variants measured in turns. On a machine that is never quiet only figures of one round
 * can be compared, so comparisons are made per round, and their median counts.
 */
final class Rounds {

	private static final int FEWEST = 3;

	private final Map<String, List<Elapsed>> figures = new LinkedHashMap<>();

	private Rounds() {
	}

	/**
	 * Measures every variant once per round, each round beginning with another one.
	 */
	static Rounds measure(int most, Duration budget, Map<String, Measurement> variants) throws Exception {
		Rounds rounds = new Rounds();
		List<String> order = new ArrayList<>(variants.keySet());
		long startNanos = System.nanoTime();
		for (int round = 0; round < most; round++) {
			if (round >= FEWEST && System.nanoTime() - startNanos > budget.toNanos()) {
				break;
			}
			for (String variant : order) {
				Measurement measurement = variants.get(variant);
				if (measurement != null) {
					// So that nobody pays for another one's garbage.
					System.gc();
					rounds.figures.computeIfAbsent(variant, (absent) -> new ArrayList<>()).add(measurement.take());
				}
			}
			Collections.rotate(order, 1);
		}
		return rounds;
	}

	int count() {
		return this.figures.values().stream().mapToInt(List::size).min().orElse(0);
	}

	/**
	 * The median time for one unit of work.
	 */
	double nanos(String variant, ToDoubleFunction<Elapsed> clock) {
		return quantile(of(variant).stream().mapToDouble(clock).boxed().toList(), 0.5);
	}

	/**
	 * How many times as fast as a peer a variant is.
	 */
	double speed(String variant, String peer, ToDoubleFunction<Elapsed> clock) {
		return quantile(speeds(variant, peer, clock), 0.5);
	}

	/**
	 * Formats the speed with the quartiles that it lies between.
	 */
	String describeSpeed(String variant, String peer, ToDoubleFunction<Elapsed> clock) {
		List<Double> speeds = speeds(variant, peer, clock);
		return Report.number(quantile(speeds, 0.5)) + " (" + Report.number(quantile(speeds, 0.25)) + " to "
				+ Report.number(quantile(speeds, 0.75)) + ")";
	}

	/**
	 * How much longer than a peer a variant takes.
	 */
	double addedNanos(String variant, String peer, ToDoubleFunction<Elapsed> clock) {
		return quantile(compared(variant, peer, clock, (nanos, peersNanos) -> nanos - peersNanos), 0.5);
	}

	private List<Double> speeds(String variant, String peer, ToDoubleFunction<Elapsed> clock) {
		return compared(variant, peer, clock, (nanos, peersNanos) -> peersNanos / nanos);
	}

	private List<Double> compared(String variant, String peer, ToDoubleFunction<Elapsed> clock,
			DoubleBinaryOperator comparison) {
		List<Double> compared = new ArrayList<>();
		for (int round = 0; round < count(); round++) {
			compared.add(comparison.applyAsDouble(clock.applyAsDouble(of(variant).get(round)),
					clock.applyAsDouble(of(peer).get(round))));
		}
		return compared;
	}

	private List<Elapsed> of(String variant) {
		return this.figures.getOrDefault(variant, List.of());
	}

	private static double quantile(List<Double> figures, double quantile) {
		List<Double> sorted = figures.stream().sorted().toList();
		if (sorted.isEmpty()) {
			return Double.NaN;
		}
		double position = quantile * (sorted.size() - 1);
		int below = (int) position;
		int above = Math.min(below + 1, sorted.size() - 1);
		return sorted.get(below) + (position - below) * (sorted.get(above) - sorted.get(below));
	}

	/**
	 * The time that one variant takes for one unit of work.
	 */
	interface Measurement {

		Elapsed take() throws Exception;

	}

}

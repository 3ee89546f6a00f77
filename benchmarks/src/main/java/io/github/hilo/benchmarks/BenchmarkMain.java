package io.github.hilo.benchmarks;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Runs the tables: {@code quick} or {@code full}, all of them or those that are named.
 * Anything else is handed to JMH.
 */
final class BenchmarkMain {

	private static final Map<String, Harness> HARNESSES = new LinkedHashMap<>();

	static {
		HARNESSES.put("calls", new CallTables());
		HARNESSES.put("stalls", new StallTables());
		HARNESSES.put("waste", new WasteTables());
		HARNESSES.put("inserts", new InsertTables());
		HARNESSES.put("growth", new GrowthTables());
		HARNESSES.put("ramp", new RampTables());
		HARNESSES.put("fleet", new FleetTables());
		HARNESSES.put("checks", new CheckTables());
		HARNESSES.put("order", new OrderTables());
	}

	private BenchmarkMain() {
	}

	public static void main(String[] arguments) throws Exception {
		String effort = (arguments.length > 0) ? arguments[0] : "";
		if (!Set.of("quick", "full").contains(effort)) {
			if (arguments.length == 0) {
				System.out.println("Usage: java -jar benchmarks.jar quick|full [" + String.join("|", HARNESSES.keySet())
						+ "]..., or JMH's own arguments (-h shows them)");
				return;
			}
			org.openjdk.jmh.Main.main(arguments);
			return;
		}
		Set<String> chosen = Set.of(Arrays.copyOfRange(arguments, 1, arguments.length));
		Report report = new Report(System.out);
		report.say("java " + System.getProperty("java.version") + ", " + Runtime.getRuntime().availableProcessors()
				+ " cores, " + System.getProperty("os.name") + " " + System.getProperty("os.arch"));
		for (Map.Entry<String, Harness> harness : HARNESSES.entrySet()) {
			if (chosen.isEmpty() || chosen.contains(harness.getKey())) {
				harness.getValue().run(Effort.valueOf(effort.toUpperCase(Locale.ROOT)), report);
			}
		}
		report.printRatios();
		// A peer may have left a thread behind that would keep the process.
		System.exit(0);
	}

	/**
	 * One group of tables.
	 */
	interface Harness {

		void run(Effort effort, Report report) throws Exception;

	}

}

package io.github.hilo.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a run prints: tables for people, and a line per comparison for programs.
 */
final class Report {

	private final PrintStream out;

	private final List<String> ratios = new ArrayList<>();

	Report(PrintStream out) {
		this.out = out;
	}

	/**
	 * Prints a heading.
	 */
	void heading(String text) {
		this.out.printf("%n## %s%n%n", text);
	}

	/**
	 * Prints a remark.
	 */
	void say(String text) {
		this.out.println(text);
	}

	/**
	 * Prints a table in Markdown.
	 */
	void table(List<String> columns, List<List<String>> rows) {
		this.out.println(columns.stream().collect(Collectors.joining(" | ", "| ", " |")));
		this.out.println(columns.stream().map((column) -> "---").collect(Collectors.joining("|", "|", "|")));
		rows.forEach((row) -> this.out.println(row.stream().collect(Collectors.joining(" | ", "| ", " |"))));
		this.out.println();
	}

	/**
	 * Notes a comparison, to be printed at the end.
	 */
	void ratio(String what, String conditions, String peer, double value) {
		this.ratios.add(String.format(Locale.ROOT, "RATIO %s %s vs %s %.3f", what, conditions, peer, value));
	}

	/**
	 * Prints the comparisons.
	 */
	void printRatios() {
		this.out.println();
		this.ratios.forEach(this.out::println);
	}

	/**
	 * Formats a count.
	 */
	static String count(long count) {
		return String.format(Locale.ROOT, "%,d", count);
	}

	/**
	 * Formats a number with three significant digits.
	 */
	static String number(double value) {
		if (value >= 1000) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return String.format(Locale.ROOT, (value >= 100) ? "%.0f" : (value >= 10) ? "%.1f" : "%.2f", value);
	}

}

package io.github.hilo.internal.text;

import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The settings that single sequences have of their own, by exact name or by a pattern,
 * which ends in its only {@code *} and is for all names that begin so. The map is read
 * whenever a setting is needed, so nothing is kept of a name.
 */
public final class OwnSettings {

	/**
	 * Patterns by length, before exact names.
	 */
	public static final Comparator<String> GENERAL_FIRST = Comparator
		.comparingInt((name) -> name.endsWith("*") ? name.length() : Integer.MAX_VALUE);

	private OwnSettings() {
	}

	/**
	 * Returns a setting of one sequence: that of its exact name, else that of the longest
	 * pattern that has it.
	 * @param usual applies where neither has it
	 */
	public static <S, T> T of(Map<String, S> settings, String sequence, Function<S, @Nullable T> setting, T usual) {
		return settings.entrySet()
			.stream()
			.filter((entry) -> isFor(entry.getKey(), sequence))
			.sorted(Map.Entry.comparingByKey(GENERAL_FIRST.reversed()))
			.flatMap((entry) -> Stream.ofNullable(setting.apply(entry.getValue())))
			.findFirst()
			.orElse(usual);
	}

	private static boolean isFor(String name, String sequence) {
		return name.equals(sequence)
				|| (name.endsWith("*") && sequence.startsWith(name.substring(0, name.length() - 1)));
	}

}

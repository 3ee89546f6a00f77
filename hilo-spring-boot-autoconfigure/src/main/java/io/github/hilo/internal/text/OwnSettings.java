package io.github.hilo.internal.text;

import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Finds the settings of single sequences. Settings have the exact name of a sequence, or
 * a prefix followed by one {@code *}, and then are for all names with this prefix. The
 * map is read on each call, so nothing is kept for a name.
 */
public final class OwnSettings {

	public static final Comparator<String> GENERAL_FIRST = Comparator
		.comparingInt((name) -> name.endsWith("*") ? name.length() : Integer.MAX_VALUE);

	private OwnSettings() {
	}

	/**
	 * Returns a setting of one sequence: by its exact name, or by the longest pattern
	 * with that setting.
	 * @param byDefault the setting of all other sequences
	 */
	public static <S, T> T of(Map<String, S> settings, String sequence, Function<S, @Nullable T> setting, T byDefault) {
		return settings.entrySet()
			.stream()
			.filter((entry) -> isFor(entry.getKey(), sequence))
			.sorted(Map.Entry.comparingByKey(GENERAL_FIRST.reversed()))
			.flatMap((entry) -> Stream.ofNullable(setting.apply(entry.getValue())))
			.findFirst()
			.orElse(byDefault);
	}

	private static boolean isFor(String name, String sequence) {
		return name.equals(sequence)
				|| (name.endsWith("*") && sequence.startsWith(name.substring(0, name.length() - 1)));
	}

}

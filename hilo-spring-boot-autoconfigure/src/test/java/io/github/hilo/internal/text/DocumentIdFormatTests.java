package io.github.hilo.internal.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DocumentIdFormat}.
 */
class DocumentIdFormatTests {

	/**
	 * At each border between lengths of numbers, and between two of them.
	 */
	@ParameterizedTest
	@MethodSource("digits")
	void formAndParseAreInverse(int digits) {
		Random random = new Random(digits);
		for (int i = 0; i < 20_000; i++) {
			String sequence = "o" + text(random);
			String separator = String.valueOf("/-.:_".charAt(random.nextInt(5)));
			String tag = text(random).replace(separator, "");
			String prefix = prefix(random);
			DocumentIdFormat format = DocumentIdFormat.of(sequence, separator, tag, digits);
			long number = number(random);
			String id = format.id(format.head() + prefix, number);
			assertThat(id).isEqualTo(sequence + separator + prefix + ("%0" + digits + "d").formatted(number)
					+ (tag.isEmpty() ? "" : "-" + tag));
			assertThat(format.numberOf(id, prefix)).as(id).isEqualTo(number);
			assertThat(format.numberAtEnd(id)).as(id).isEqualTo(number);
			assertThat(format.separator() + format.nodeTag()).isEqualTo(separator + tag);
			DocumentIdFormat other = DocumentIdFormat.of(sequence, separator, tag, 1 + random.nextInt(19));
			boolean same = other.id(other.head() + prefix, number).equals(id);
			long another = number(random);
			assertThat(other.id(other.head() + prefix, another).equals(id)).as("%d for %s", another, id)
				.isEqualTo(same && another == number);
			assertThat(other.numberOf(id, prefix)).as("%s with %d digits", id, other.digits())
				.isEqualTo(same ? number : 0);
		}
	}

	/**
	 * Sequences may be named like ids of each other, and have other separators and
	 * digits.
	 */
	@ParameterizedTest
	@CsvSource({ "'', ''", "7, ''", "a7, ''", "'', 1-", "7-1, 1-", "-, .1." })
	void sequencesOfOneTagNeverMakeTheSameText(String tag, String prefix) {
		Random random = new Random(7);
		Map<String, String> made = new HashMap<>();
		for (int i = 0; i < 300_000; i++) {
			String separator = String.valueOf("-./".charAt(random.nextInt(3)));
			DocumentIdFormat format = DocumentIdFormat.of("1" + text(random), separator, tag, 1 + random.nextInt(3));
			long number = 1 + random.nextLong(120);
			String id = format.id(format.head() + prefix, number);
			assertThat(made.merge(id, format.head() + " " + number, (first, second) -> first)).as(id)
				.isEqualTo(format.head() + " " + number);
		}
	}

	@Test
	void sequencesOfTwoTagsMayMakeTheSameText() {
		DocumentIdFormat tagged = DocumentIdFormat.of("INV", "-", "7", 1);
		DocumentIdFormat untagged = DocumentIdFormat.of("INV-2024", "-", "", 1);
		assertThat(tagged.id(tagged.head(), 2024)).isEqualTo(untagged.id(untagged.head(), 7));
	}

	@ParameterizedTest
	@MethodSource("digits")
	void idsOfSoManyDigitsSortAsTheirNumbers(int digits) {
		Random random = new Random(digits);
		DocumentIdFormat format = DocumentIdFormat.of("orders", "/", "A", digits);
		List<Long> numbers = Stream.generate(() -> number(random))
			.filter((number) -> String.valueOf(number).length() <= digits)
			.distinct()
			.limit(9)
			.sorted()
			.toList();
		assertThat(numbers).extracting((number) -> format.id(format.head(), number)).isSorted();
	}

	static IntStream digits() {
		return IntStream.rangeClosed(1, DocumentIdFormat.MAX_DIGITS);
	}

	private static long number(Random random) {
		long power = Long.parseLong("1" + "0".repeat(random.nextInt(19)));
		return switch (random.nextInt(3)) {
			case 0 -> power;
			case 1 -> Math.max(1, power - 1);
			default -> random.nextLong(power, (power < 1_000_000_000_000_000_000L) ? 10 * power : Long.MAX_VALUE);
		};
	}

	private static String prefix(Random random) {
		String prefix = text(random);
		return (!prefix.isEmpty() && Character.isDigit(prefix.charAt(prefix.length() - 1))) ? prefix + "/" : prefix;
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int length = random.nextInt(6); length > 0; length--) {
			text.append("09-/xE. ".charAt(random.nextInt(8)));
		}
		return text.toString();
	}

}

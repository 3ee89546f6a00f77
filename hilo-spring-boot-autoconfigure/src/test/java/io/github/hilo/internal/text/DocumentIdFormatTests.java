package io.github.hilo.internal.text;

import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DocumentIdFormat}.
 */
class DocumentIdFormatTests {

	private final DocumentIdFormat format = DocumentIdFormat.of("orders", "/", "A");

	@ParameterizedTest
	@CsvSource({ "54-A, 54", "54, 54", "54-, 54", "NorthServer/54-B, 54", "NorthServer/54, 54", "north54-B, 54",
			"eu-1-x/54-A, 54", "eu-1-x/54, 54", "54-eu-1, 54", "5-eu/7, 7", "5-eu-77, 77", "1-x/54-a/b, 54",
			"a/54-b/c, 54", "007, 7", "9223372036854775806-A, 9223372036854775806",
			"550e8400-e29b-41d4-a716-446655440000-A, 446655440000" })
	void highestNumberThatTheIdMayHaveIsFound(String rest, long number) {
		assertThat(this.format.numberIn("orders/" + rest)).isEqualTo(number);
	}

	@ParameterizedTest
	@CsvSource({ "''", "abc", "abc-A", "54x", "54x-A", "54_A", "'54 '", "-", "0", "0-A", "x-y", "\u0665\u0664-A",
			"550e8400-e29b-41d4-a716-446655440000", "12345678-1234-1234-1234-123456789012" })
	void idOfAnotherFormHasNoNumber(String rest) {
		assertThat(this.format.numberIn("orders/" + rest)).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "9223372036854775807-A", "9223372036854775808-A", "99999999999999999999999999999999",
			"NorthServer/99999999999999999999-A" })
	void numberThatNoLongHoldsIsTooHigh(String rest) {
		assertThat(this.format.numberIn("orders/" + rest)).isEqualTo(DocumentIdFormat.TOO_HIGH);
	}

	@Test
	void separatorMayBeADashThoughTagsBeginWithOne() {
		assertThat(DocumentIdFormat.of("orders", "-", "A").numberIn("orders-54-A")).isEqualTo(54);
		assertThat(DocumentIdFormat.of("orders", "-", "A").numberIn("orders-154-eu-177")).isEqualTo(177);
	}

	@Test
	void digitsOfTheSequenceAreNoNumber() {
		assertThat(DocumentIdFormat.of("eu-99", "/", "A").numberIn("eu-99/54-A")).isEqualTo(54);
		assertThat(DocumentIdFormat.of("99", "/", "A").numberIn("99/x")).isZero();
	}

	@Test
	void noIdOfOursGivesTooLowANumber() {
		Random random = new Random(4711);
		for (int i = 0; i < 200_000; i++) {
			String prefix = text(random);
			if (!prefix.isEmpty() && Character.isDigit(prefix.charAt(prefix.length() - 1))) {
				prefix += "/";
			}
			long number = 1 + random.nextLong(1L << random.nextInt(1, 60));
			String tag = text(random);
			String id = "orders/" + prefix + number + (tag.isEmpty() ? "" : "-" + tag);
			assertThat(this.format.numberIn(id)).as(id).isGreaterThanOrEqualTo(number);
		}
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int length = random.nextInt(6); length > 0; length--) {
			text.append("09-/xE. ".charAt(random.nextInt(8)));
		}
		return text.toString();
	}

}

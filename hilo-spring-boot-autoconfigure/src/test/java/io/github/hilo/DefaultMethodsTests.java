package io.github.hilo;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * Tests for what a generator of a user's own inherits.
 */
class DefaultMethodsTests {

	private static final HiLoIdGenerator OWN = mock(HiLoIdGenerator.class, Answers.CALLS_REAL_METHODS);

	@ParameterizedTest
	@MethodSource
	@SuppressWarnings("NullAway") // a caller in a language without it
	void nullIsRefused(Runnable call, String beginning) {
		assertThatIllegalArgumentException().isThrownBy(call::run).withMessageStartingWith(beginning);
	}

	@SuppressWarnings("NullAway") // a caller in a language without it
	static Stream<Arguments> nullIsRefused() {
		String type = "The entity type is null";
		String sequence = "The sequence name is null";
		String entity = "The entity is null";
		return Stream.of(refused(() -> OWN.nextId((Class<?>) null), type),
				refused(() -> OWN.nextId((String) null), sequence), refused(() -> OWN.nextIdFor(null), entity),
				refused(() -> OWN.nextDocumentId((Class<?>) null), type),
				refused(() -> OWN.nextDocumentId((String) null), sequence),
				refused(() -> OWN.nextDocumentIdFor(null), entity),
				refused(() -> OWN.nextIds((Class<?>) null, 2), type),
				refused(() -> OWN.nextIds((String) null, 2), sequence),
				refused(() -> OWN.nextDocumentIds((Class<?>) null, 2), type),
				refused(() -> OWN.nextDocumentIds((String) null, 2), sequence),
				refused(() -> OWN.ensureAtLeast((Class<?>) null, 5), type),
				refused(() -> OWN.ensureAtLeast((String) null, 5), sequence));
	}

	private static Arguments refused(Runnable call, String beginning) {
		return arguments(call, beginning);
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MIN_VALUE, 0, HiLoSequence.MAX_COUNT + 1 })
	void blockOutOfBoundsIsRefused(int count) {
		HiLoSequence orders = mock(HiLoSequence.class, Answers.CALLS_REAL_METHODS);
		assertThatIllegalArgumentException().isThrownBy(() -> orders.nextIds(count));
		assertThatIllegalArgumentException().isThrownBy(() -> orders.nextDocumentIds(count));
	}

	@Test
	void blockIsAsManyCalls() {
		HiLoSequence orders = mock(HiLoSequence.class, Answers.CALLS_REAL_METHODS);
		willReturn(1L, 2L, 3L).given(orders).nextId();
		willReturn("own/4", "own/5").given(orders).nextDocumentId();
		assertThat(orders.nextIds(3)).containsExactly(1, 2, 3);
		assertThat(orders.nextDocumentIds(2)).containsExactly("own/4", "own/5");
	}

}

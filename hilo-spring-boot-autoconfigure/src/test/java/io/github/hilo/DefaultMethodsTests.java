package io.github.hilo;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for what a generator of a user's own inherits.
 */
class DefaultMethodsTests {

	private static final HiLoIdGenerator OWN = new OwnGenerator();

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
		assertThatIllegalArgumentException().isThrownBy(() -> OWN.nextIds("orders", count));
		assertThatIllegalArgumentException().isThrownBy(() -> OWN.nextDocumentIds("orders", count));
	}

	@Test
	void blockIsAsManyCalls() {
		HiLoSequence orders = new OwnSequence();
		assertThat(orders.nextIds(3)).containsExactly(1, 2, 3);
		assertThat(orders.nextDocumentIds(2)).containsExactly("own/4", "own/5");
	}

	private static final class OwnGenerator implements HiLoIdGenerator {

		@Override
		public HiLoSequence sequence(Class<?> entityType) {
			return new OwnSequence();
		}

		@Override
		public HiLoSequence sequence(String sequence) {
			return new OwnSequence();
		}

		@Override
		public HiLoIdGenerator forDatabase(@Nullable String database) {
			return this;
		}

		@Override
		public void release() {
		}

	}

	private static final class OwnSequence implements HiLoSequence {

		private long last;

		@Override
		public long nextId() {
			return ++this.last;
		}

		@Override
		public String nextDocumentId() {
			return "own/" + nextId();
		}

		@Override
		public long ensureAtLeast(long floor) {
			this.last = Math.max(this.last, floor);
			return this.last;
		}

	}

}

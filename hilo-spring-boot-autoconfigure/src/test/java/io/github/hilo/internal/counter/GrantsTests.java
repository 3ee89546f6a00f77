package io.github.hilo.internal.counter;

import java.util.Arrays;

import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Grants}.
 */
class GrantsTests {

	private final Grants grants = new Grants();

	/**
	 * {@code new ObjectId()} has the time, five bytes that the process keeps, and a
	 * counter.
	 */
	@Test
	void noPartOfAGrantStaysTheSameOrCounts() {
		byte[] first = next();
		byte[] second = next();
		assertThat(Arrays.copyOfRange(first, 4, 9)).isNotEqualTo(Arrays.copyOfRange(second, 4, 9));
		assertThat(Arrays.copyOfRange(first, 4, 9))
			.isNotEqualTo(Arrays.copyOfRange(new ObjectId().toByteArray(), 4, 9));
		assertThat(Arrays.copyOf(first, 4)).isNotEqualTo(Arrays.copyOf(second, 4));
	}

	private byte[] next() {
		return this.grants.get().asObjectId().getValue().toByteArray();
	}

}

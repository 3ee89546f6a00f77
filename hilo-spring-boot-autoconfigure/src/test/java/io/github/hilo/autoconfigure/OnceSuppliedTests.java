package io.github.hilo.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OnceSupplied}.
 */
class OnceSuppliedTests {

	private final OnceSupplied<Object> once = new OnceSupplied<>(this::supply);

	private @Nullable Object ofSecondCaller;

	private int calls;

	@Test
	void callersThatAreFirstAtTheSameTimeGetTheSameValue() {
		Object ofFirstCaller = this.once.get();
		assertThat(this.calls).isEqualTo(2);
		assertThat(ofFirstCaller).isSameAs(this.ofSecondCaller).isSameAs(this.once.get());
	}

	/**
	 * The second caller comes while the first one waits for its value.
	 */
	private Object supply() {
		if (++this.calls == 1) {
			this.ofSecondCaller = this.once.get();
		}
		return new Object();
	}

}

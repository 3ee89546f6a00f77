package io.github.hilo.stored;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SideBySide}.
 */
class SideBySideTests {

	private final List<CompletableFuture<Optional<String>>> sent = new ArrayList<>();

	private final CompletionStage<List<String>> found = SideBySide.each(List.of(1, 2, 3, 4, 5, 6), (place) -> {
		this.sent.add(new CompletableFuture<>());
		return this.sent.get(this.sent.size() - 1);
	});

	@Test
	void aFewAreSentAtOnceAndTheNextWhenOneEnds() {
		assertThat(this.sent).hasSize(SideBySide.AT_ONCE);
		this.sent.get(1).complete(Optional.of("b"));
		assertThat(this.sent).hasSize(SideBySide.AT_ONCE + 1);
		for (int i = 0; i < this.sent.size(); i++) {
			this.sent.get(i).complete(Optional.empty());
		}
		assertThat(this.sent).hasSize(6);
		assertThat(this.found.toCompletableFuture()).isCompletedWithValue(List.of("b"));
	}

	@Test
	void failureOfOneIsTheFailureOfAll() {
		this.sent.get(0).completeExceptionally(new IllegalStateException("cut off"));
		for (int i = 1; i < this.sent.size(); i++) {
			this.sent.get(i).complete(Optional.of("free"));
		}
		assertThat(this.found.toCompletableFuture()).isCompletedExceptionally();
	}

}

package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.sequence.ReservationFailure;
import org.jspecify.annotations.Nullable;

/**
 * A release that was begun.
 *
 * @param sequences what ends with each sequence, with why a return failed
 */
record Release(List<CompletableFuture<@Nullable RuntimeException>> sequences) {

	/**
	 * What ends once nothing is held any more that had to go back.
	 */
	CompletableFuture<@Nullable Void> ended() {
		return CompletableFuture.allOf(this.sequences.toArray(CompletableFuture[]::new));
	}

	List<RuntimeException> failures(Duration timeout) {
		RuntimeException late = new HiLoUnavailableException(ReservationFailure.noAnswerWithin(timeout));
		return this.sequences.stream().map((sequence) -> sequence.getNow(late)).filter(Objects::nonNull).toList();
	}

}

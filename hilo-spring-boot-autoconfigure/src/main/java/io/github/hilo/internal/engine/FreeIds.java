package io.github.hilo.internal.engine;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.sequence.LatchWait;
import io.github.hilo.internal.sequence.ReservationFailure;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.text.Names;

/**
 * Takes ids from a generator of the application's own until one is free in the place that
 * it goes to.
 */
public final class FreeIds {

	private FreeIds() {
	}

	/**
	 * Takes what is free.
	 * @throws HiLoUnavailableException if that could not be found out, or nothing was
	 * free too often
	 */
	public static <T> T take(String sequence, Supplier<T> take, Function<T, CompletionStage<Boolean>> confirm,
			Deadline deadline) {
		for (int attempt = 1; attempt <= ReservationFailure.MAX_ATTEMPTS; attempt++) {
			T issued = take.get();
			deadline.waitFor(Deadline.Phase.CHECK);
			if (LatchWait.await(confirm.apply(issued).toCompletableFuture(), deadline,
					(why, cause) -> notConfirmed(sequence, why, cause))) {
				return issued;
			}
		}
		throw ReservationFailure.noneFree(sequence);
	}

	private static HiLoUnavailableException notConfirmed(String sequence, String why, Throwable cause) {
		return new HiLoUnavailableException(
				"A number of sequence " + Names.quoted(sequence) + " could not be confirmed: " + why, cause);
	}

}

package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.sequence.LatchWait;
import io.github.hilo.text.Names;

/**
 * Takes ids until they are free in the place that they go to. Internal.
 *
 * @hidden
 */
public final class FreeIds {

	/**
	 * How often ids are taken again.
	 */
	public static final int MAX_ATTEMPTS = 5;

	/**
	 * Says that an id is free without having to ask for it.
	 */
	public static final CompletionStage<Boolean> FREE = CompletableFuture.completedStage(true);

	private FreeIds() {
	}

	/**
	 * Confirms what was taken, or takes again where a document has it.
	 * @param <T> the type of what is taken
	 * @param sequence the exact name of the counter
	 * @param taken what was taken first
	 * @param confirm tells whether it is free
	 * @param take takes again
	 * @param timeout longest it waits for an answer
	 * @return what is free
	 * @throws HiLoUnavailableException if that could not be found out, or nothing was
	 * free too often
	 */
	public static <T> T confirmed(String sequence, T taken, Function<T, CompletionStage<Boolean>> confirm,
			Supplier<T> take, Duration timeout) {
		T issued = taken;
		for (int attempt = 1; !isFree(sequence, confirm.apply(issued), timeout); attempt++) {
			if (attempt == MAX_ATTEMPTS) {
				throw noneFree(sequence);
			}
			issued = take.get();
		}
		return issued;
	}

	private static boolean isFree(String sequence, CompletionStage<Boolean> confirmed, Duration timeout) {
		return confirmed == FREE || LatchWait.await(confirmed.toCompletableFuture(), timeout,
				(why, cause) -> notConfirmed(sequence, why, cause));
	}

	/**
	 * Says that it could not be found out whether an id is free.
	 * @param sequence the exact name of the counter
	 * @param why the reason
	 * @param cause what tells the reason
	 * @return the exception
	 */
	public static HiLoUnavailableException notConfirmed(String sequence, String why, Throwable cause) {
		return new HiLoUnavailableException(
				"A number of sequence " + Names.quoted(sequence) + " could not be confirmed: " + why, cause);
	}

	/**
	 * Says that nothing was free.
	 * @param sequence the exact name of the counter
	 * @return the exception
	 */
	public static HiLoUnavailableException noneFree(String sequence) {
		return new HiLoUnavailableException("No free number from sequence " + Names.quoted(sequence) + ": "
				+ MAX_ATTEMPTS + " times in a row a stored document had what was issued, although the counter was"
				+ " raised above it. Find out who stores such ids");
	}

}

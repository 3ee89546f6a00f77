package io.github.hilo.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredPlace;

/**
 * Takes ids until they are free in the place that they go to. Internal.
 * <p>
 * Thread-safe: it keeps nothing.
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
	public static final CompletionStage<Long> FREE = CompletableFuture.completedStage(0L);

	private FreeIds() {
	}

	/**
	 * Confirms what was taken, or takes again where a document has it.
	 * @param <T> the type of what is taken
	 * @param sequence the exact name of the counter
	 * @param taken what was taken first
	 * @param confirm answers 0 if it is free, or else up to which number none must be
	 * used
	 * @param raise raises the counter to that number
	 * @param take takes again
	 * @return what is free
	 * @throws HiLoUnavailableException if that could not be found out, or nothing was
	 * free too often
	 */
	public static <T> T confirmed(String sequence, T taken, Function<T, CompletionStage<Long>> confirm,
			LongConsumer raise, Supplier<T> take) {
		T issued = taken;
		for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			CompletionStage<Long> confirmed = confirm.apply(issued);
			long stored = (confirmed == FREE) ? 0 : LatchWait.await(confirmed,
					"Interrupted while a number of sequence " + Names.quoted(sequence) + " was being confirmed");
			if (stored == 0) {
				return issued;
			}
			raise.accept(stored);
			issued = take.get();
		}
		throw noneFree(sequence);
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

	/**
	 * Confirms several ids, one after the other: each confirms those behind it, too, as
	 * far as it can.
	 */
	static CompletionStage<Long> confirmAll(int first, int count, IntFunction<Object> issued, StoredPlace known,
			Function<Object, CompletionStage<Long>> confirm) {
		int open = first;
		while (open < count && isFree(known, issued.apply(open))) {
			open++;
		}
		int next = open + 1;
		return (open == count) ? FREE
				: confirm.apply(issued.apply(open))
					.thenCompose((stored) -> (stored != 0) ? CompletableFuture.completedFuture(stored)
							: confirmAll(next, count, issued, known, confirm));
	}

	private static boolean isFree(StoredPlace known, Object issued) {
		return (issued instanceof Long number) ? known.isFree(number) : known.isFree((String) issued);
	}

}

package io.github.hilo.data;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for answers on the threads of blocking callers.
 */
final class Answers {

	private Answers() {
	}

	/**
	 * Waits for an answer. A caller that is interrupted cancels it.
	 * @param interrupted what a caller that is interrupted is told
	 * @return the answer
	 * @throws HiLoUnavailableException if the caller was interrupted, or for whatever
	 * failure is no other of these
	 * @throws HiLoDocumentException if the answer is one
	 * @throws IllegalStateException if the answer is one
	 */
	static <T extends @Nullable Object> T await(CompletionStage<T> stage, String interrupted) {
		CompletableFuture<T> answer = stage.toCompletableFuture();
		// A thread of a fork-join pool that waits for a future runs other tasks
		// meanwhile.
		CountDownLatch ended = new CountDownLatch(1);
		CompletableFuture<?> unused = answer.whenComplete((result, failure) -> ended.countDown());
		try {
			ended.await();
			return answer.get();
		}
		catch (InterruptedException ex) {
			answer.cancel(false);
			Thread.currentThread().interrupt();
			throw new HiLoUnavailableException(interrupted, ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = Objects.requireNonNull(ex.getCause());
			String message = String.valueOf(cause.getMessage());
			if (cause instanceof IllegalStateException) {
				throw new IllegalStateException(message, cause);
			}
			throw (cause instanceof HiLoDocumentException) ? new HiLoDocumentException(message, cause)
					: new HiLoUnavailableException(message, cause);
		}
	}

}

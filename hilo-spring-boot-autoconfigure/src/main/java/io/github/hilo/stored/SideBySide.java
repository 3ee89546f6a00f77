package io.github.hilo.stored;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Sends several commands, a few at once: one sequence over many collections must not take
 * all threads and connections.
 */
final class SideBySide {

	static final int AT_ONCE = 4;

	private SideBySide() {
	}

	/**
	 * Sends a command for each of some places.
	 * @return what was found, in the order of the places, or the failure of one
	 */
	static <P, T> CompletionStage<List<T>> each(List<P> places, Function<P, CompletionStage<Optional<T>>> command) {
		List<CompletableFuture<Optional<T>>> sent = new ArrayList<>();
		for (P place : places) {
			CompletionStage<Optional<T>> answer = (sent.size() < AT_ONCE) ? command.apply(place)
					: sent.get(sent.size() - AT_ONCE).thenCompose((before) -> command.apply(place));
			sent.add(answer.toCompletableFuture());
		}
		return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
			.thenApply((ended) -> sent.stream().flatMap((answer) -> answer.join().stream()).toList());
	}

}

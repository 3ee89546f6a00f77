package io.github.hilo.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

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
	 * @return the answers in any order, or the failure of one
	 */
	static <P, T> CompletionStage<List<T>> each(List<P> places, Function<P, CompletionStage<T>> command) {
		CompletionStage<List<T>> all = CompletableFuture.completedFuture(List.of());
		for (int lane = 0; lane < Math.min(AT_ONCE, places.size()); lane++) {
			int first = lane;
			all = all.thenCombine(inTurn(IntStream.range(0, places.size())
				.filter((index) -> index % AT_ONCE == first)
				.mapToObj(places::get)
				.toList(), command), SideBySide::both);
		}
		return all;
	}

	private static <P, T> CompletionStage<List<T>> inTurn(List<P> places, Function<P, CompletionStage<T>> command) {
		CompletionStage<List<T>> answers = CompletableFuture.completedFuture(List.of());
		for (P place : places) {
			answers = answers
				.thenCompose((before) -> command.apply(place).thenApply((answer) -> both(before, List.of(answer))));
		}
		return answers;
	}

	private static <T> List<T> both(List<T> first, List<T> second) {
		List<T> both = new ArrayList<>(first);
		both.addAll(second);
		return both;
	}

}

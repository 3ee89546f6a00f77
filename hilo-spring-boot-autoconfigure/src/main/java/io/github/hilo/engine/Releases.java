package io.github.hilo.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.store.RangeReturn;
import org.jspecify.annotations.Nullable;

/**
 * The releases that were asked for, and the returns that they lead to. A release ends
 * when nothing is held any more. Not thread-safe: its sequence's lock guards it.
 */
final class Releases {

	private final List<CompletableFuture<@Nullable RuntimeException>> releases = new ArrayList<>(0);

	/**
	 * Why a return that they led to failed, if one did.
	 */
	private @Nullable RuntimeException failure;

	void add(CompletableFuture<@Nullable RuntimeException> release) {
		this.releases.add(release);
	}

	/**
	 * Makes the return that is due. Where nothing is to be held, whatever is left goes
	 * back, too.
	 */
	Operation.@Nullable Return nextReturn(HeldRanges ranges, boolean holdsNothing, Duration timeout, Effects effects) {
		RangeReturn unused = (holdsNothing || !this.releases.isEmpty()) ? ranges.sealAll(timeout) : null;
		if (unused == null) {
			end(effects);
			return null;
		}
		return new Operation.Return(unused);
	}

	/**
	 * A return failed: its numbers are a gap.
	 */
	void failed(RuntimeException failure) {
		this.failure = failure;
	}

	/**
	 * Nothing is held that has to go back.
	 */
	void end(Effects effects) {
		this.releases.forEach((release) -> effects.end(release, this.failure));
		this.releases.clear();
		this.failure = null;
	}

}

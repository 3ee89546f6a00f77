package io.github.hilo.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * What ends when nothing is held any more. Not thread-safe: its sequence's lock guards
 * it.
 */
final class Releases {

	private final List<CompletableFuture<@Nullable Void>> releases = new ArrayList<>();

	/**
	 * Copies what is asked for; nobody sees the ends of the copies.
	 */
	Releases copy() {
		Releases copy = new Releases();
		this.releases.forEach((release) -> copy.add(new CompletableFuture<>()));
		return copy;
	}

	void add(CompletableFuture<@Nullable Void> release) {
		this.releases.add(release);
	}

	boolean isEmpty() {
		return this.releases.isEmpty();
	}

	/**
	 * Nothing is held.
	 */
	void end(Effects effects) {
		this.releases.forEach(effects::end);
		this.releases.clear();
	}

}

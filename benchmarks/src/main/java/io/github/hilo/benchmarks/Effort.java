package io.github.hilo.benchmarks;

/**
 * How long a run may take.
 */
enum Effort {

	/**
	 * Everything within three minutes: enough to see the order of things.
	 */
	QUICK,

	/**
	 * As long as the figures need.
	 */
	FULL;

	/**
	 * Chooses by effort.
	 */
	<T> T choose(T quick, T full) {
		return (this == QUICK) ? quick : full;
	}

}

package io.github.hilo.benchmarks;

/**
 * What ids come from, while it is measured.
 */
interface IdSource extends AutoCloseable {

	/**
	 * Issues an id.
	 */
	long next();

	/**
	 * Reads how many ids were reserved, without the distance.
	 */
	long reserved();

	/**
	 * Stops as a process does that has the time to; once more does nothing.
	 */
	void stop();

	@Override
	default void close() {
		stop();
	}

}

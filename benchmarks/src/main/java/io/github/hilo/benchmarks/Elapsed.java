package io.github.hilo.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.function.ToDoubleFunction;

/**
 * What some work took. Where other processes keep the machine busy, the time that the
 * processors spent on it says more than the clock on the wall.
 *
 * @param wallNanos on the clock
 * @param cpuNanos on the processors
 */
record Elapsed(double wallNanos, double cpuNanos) {

	static final ToDoubleFunction<Elapsed> WALL = Elapsed::wallNanos;

	static final ToDoubleFunction<Elapsed> CPU = Elapsed::cpuNanos;

	private static final com.sun.management.OperatingSystemMXBean PROCESS = ManagementFactory
		.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

	/**
	 * Starts to measure the calling thread.
	 */
	static Elapsed sinceByThread() {
		return new Elapsed(System.nanoTime(), ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
	}

	/**
	 * Starts to measure the whole process, and so the server in it too.
	 */
	static Elapsed sinceByProcess() {
		return new Elapsed(System.nanoTime(), PROCESS.getProcessCpuTime());
	}

	/**
	 * Ends what an earlier call began.
	 * @param since what it answered
	 * @param units of work that were done since
	 * @return the time for one unit
	 */
	Elapsed per(Elapsed since, double units) {
		return new Elapsed((this.wallNanos - since.wallNanos) / units, (this.cpuNanos - since.cpuNanos) / units);
	}

}

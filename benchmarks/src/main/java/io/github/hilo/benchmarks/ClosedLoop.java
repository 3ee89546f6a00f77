package io.github.hilo.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Callers that ask for the next id as soon as they have one.
 */
final class ClosedLoop {

	private ClosedLoop() {
	}

	/**
	 * Runs callers for some time.
	 * @param source where the ids come from
	 * @param callers threads
	 * @param millis how long
	 * @return how many ids were issued
	 */
	static long run(IdSource source, int callers, long millis) throws InterruptedException {
		AtomicLong issued = new AtomicLong();
		long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < callers; i++) {
			Thread thread = new Thread(() -> {
				long own = 0;
				try {
					while (System.nanoTime() - endNanos < 0) {
						source.next();
						own++;
					}
				}
				finally {
					issued.addAndGet(own);
				}
			}, "caller-" + i);
			thread.setDaemon(true);
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join(millis + 60_000);
			if (thread.isAlive()) {
				throw new IllegalStateException("A caller still waits for its id");
			}
		}
		return issued.get();
	}

}

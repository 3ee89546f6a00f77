package io.github.hilo.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * What a soak looks like at one moment.
 *
 * @param ids how many numbers were issued so far
 * @param failures how many calls have failed so far
 * @param faults how many things have gone wrong so far
 * @param reservations how many ranges were reserved so far
 * @param heapBytes the least that a few collections leave of the heap, without the
 * ledgers
 * @param threads how many threads live, without those of the proxy, which has two for
 * each connection
 * @param ownThreads how many of them are the generator's
 */
record SoakSample(long ids, long failures, long faults, long reservations, long heapBytes, long threads,
		long ownThreads) {

	/**
	 * The serial collector leaves garbage in place in three of four collections.
	 */
	private static final int COLLECTIONS = 4;

	static final SoakSample NONE = new SoakSample(0, 0, 0, 0, 0, 0, 0);

	static SoakSample take(SoakLoad load, SoakFaults faults, SoakApplication application) {
		long heapBytes = LongStream.generate(SoakSample::collect).limit(COLLECTIONS).min().orElseThrow();
		Set<Thread> threads = Thread.getAllStackTraces().keySet();
		return new SoakSample(load.ids(), load.failures(), faults.count(), application.reservations(),
				heapBytes - load.ledgerBytes(), threads.stream().filter((thread) -> !isProxy(thread)).count(),
				threads.stream().filter((thread) -> thread.getName().startsWith("hilo-")).count());
	}

	private static long collect() {
		System.gc();
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
			.mapToLong(SoakSample::bytesAfterCollection)
			.sum();
	}

	private static long bytesAfterCollection(MemoryPoolMXBean pool) {
		return pool.getCollectionUsage().getUsed();
	}

	private static boolean isProxy(Thread thread) {
		return thread.getName().equals("tcp-proxy");
	}

	/**
	 * Describes the time since an earlier sample.
	 * @param minute its number
	 * @param before the sample at its start
	 */
	String describe(long minute, SoakSample before) {
		return String.format(Locale.ROOT,
				"minute %d: ids %d, failures %d, faults %d, reservations %d, heap %.1f MB, threads %d, hilo-* %d",
				minute, this.ids - before.ids, this.failures - before.failures, this.faults - before.faults,
				this.reservations - before.reservations, this.heapBytes / 1e6, this.threads, this.ownThreads);
	}

}

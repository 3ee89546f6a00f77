package io.github.hilo.soak;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;

/**
 * Threads that ask for numbers at a steady rate, and check that each is new.
 */
final class SoakLoad {

	private static final int THREADS_PER_SOURCE = 4;

	/**
	 * A thread that waited longer than this for a number does not ask for the missed ones
	 * later.
	 */
	private static final long LONGEST_DEBT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final List<Thread> threads = new ArrayList<>();

	/**
	 * For each source one bit for each number, so that a day of two thousand a second
	 * takes some 20 MB.
	 */
	private final List<BitSet> issued = new ArrayList<>();

	private final LongAdder failures = new LongAdder();

	private final Queue<String> broken = new ConcurrentLinkedQueue<>();

	private final CountDownLatch breakage = new CountDownLatch(1);

	private final long pauseNanos;

	private volatile boolean running = true;

	/**
	 * Starts the threads.
	 * @param sources what they ask; each source passes on the number that it got, even if
	 * it then fails
	 * @param idsPerSecond how many numbers they ask for, together
	 */
	SoakLoad(List<Consumer<LongConsumer>> sources, int idsPerSecond) {
		this.pauseNanos = TimeUnit.SECONDS.toNanos(1) * THREADS_PER_SOURCE * sources.size() / idsPerSecond;
		for (Consumer<LongConsumer> source : sources) {
			BitSet numbers = new BitSet();
			this.issued.add(numbers);
			for (int i = 0; i < THREADS_PER_SOURCE; i++) {
				this.threads.add(new Thread(() -> ask(source, numbers), "soak-" + this.threads.size()));
			}
		}
		this.threads.forEach(Thread::start);
	}

	void stop() throws InterruptedException {
		this.running = false;
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	/**
	 * Waits until something is wrong.
	 * @param millis for so long at most
	 * @return whether something is wrong
	 */
	boolean isBrokenWithin(long millis) throws InterruptedException {
		return this.breakage.await(millis, TimeUnit.MILLISECONDS);
	}

	/**
	 * Returns what no fault excuses: a number that was issued twice, or an error of
	 * another kind than the promised ones.
	 */
	List<String> broken() {
		return List.copyOf(this.broken);
	}

	long ids() {
		return sum(BitSet::cardinality);
	}

	long failures() {
		return this.failures.sum();
	}

	/**
	 * Returns how much of the heap the bits take.
	 */
	long bytes() {
		return sum(BitSet::size) / Byte.SIZE;
	}

	private long sum(ToIntFunction<BitSet> size) {
		return this.issued.stream().mapToLong((numbers) -> {
			synchronized (numbers) {
				return size.applyAsInt(numbers);
			}
		}).sum();
	}

	private void ask(Consumer<LongConsumer> source, BitSet numbers) {
		long dueNanos = System.nanoTime();
		while (this.running) {
			try {
				source.accept((number) -> enter(Math.toIntExact(number), numbers));
			}
			catch (DuplicateKeyException ex) {
				broken(ex.toString());
			}
			catch (DataAccessException ex) {
				this.failures.increment();
			}
			catch (Throwable ex) {
				broken(ex.toString());
			}
			dueNanos = Math.max(dueNanos + this.pauseNanos, System.nanoTime() - LONGEST_DEBT_NANOS);
			LockSupport.parkNanos(dueNanos - System.nanoTime());
		}
	}

	private void enter(int number, BitSet numbers) {
		synchronized (numbers) {
			if (numbers.get(number)) {
				broken("Number " + number + " was issued twice");
			}
			numbers.set(number);
		}
	}

	private void broken(String what) {
		this.broken.add(what);
		this.breakage.countDown();
	}

}

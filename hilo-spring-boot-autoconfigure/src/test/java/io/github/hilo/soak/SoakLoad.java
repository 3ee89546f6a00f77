package io.github.hilo.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;

/**
 * Threads that ask for numbers at a steady rate, and check that each is new.
 */
final class SoakLoad {

	private static final int THREADS_PER_SOURCE = 2;

	/**
	 * Who waited longer than this for a number does not ask for the missed ones later.
	 */
	private static final long LONGEST_DEBT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final List<Thread> threads = new ArrayList<>();

	private final List<NumberLedger> ledgers = new ArrayList<>();

	private final LongAdder failures = new LongAdder();

	private final Queue<String> broken = new ConcurrentLinkedQueue<>();

	private final CountDownLatch breakage = new CountDownLatch(1);

	private final long pauseNanos;

	private volatile boolean running = true;

	/**
	 * Creates the threads.
	 * @param sources what they ask
	 * @param idsPerSecond how many numbers they ask for, together
	 */
	SoakLoad(List<Consumer<LongConsumer>> sources, int idsPerSecond) {
		this.pauseNanos = TimeUnit.SECONDS.toNanos(1) * THREADS_PER_SOURCE * sources.size() / idsPerSecond;
		for (Consumer<LongConsumer> source : sources) {
			NumberLedger ledger = new NumberLedger();
			this.ledgers.add(ledger);
			for (int i = 0; i < THREADS_PER_SOURCE; i++) {
				this.threads.add(new Thread(() -> ask(source, ledger), "soak-" + this.threads.size()));
			}
		}
	}

	void start() {
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
	 * @param timeout for so long at most
	 */
	void awaitBreakage(Duration timeout) throws InterruptedException {
		this.breakage.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * What no fault excuses: a number that was issued twice, or an error of another kind
	 * than the promised ones.
	 */
	List<String> broken() {
		return List.copyOf(this.broken);
	}

	long ids() {
		return this.ledgers.stream().mapToLong(NumberLedger::count).sum();
	}

	long failures() {
		return this.failures.sum();
	}

	long ledgerBytes() {
		return this.ledgers.stream().mapToLong(NumberLedger::bytes).sum();
	}

	private void ask(Consumer<LongConsumer> source, NumberLedger ledger) {
		long dueNanos = System.nanoTime();
		while (this.running) {
			try {
				source.accept((number) -> {
					if (!ledger.enter(number)) {
						broken("Number " + number + " was issued twice");
					}
				});
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

	private void broken(String what) {
		this.broken.add(what);
		this.breakage.countDown();
	}

}

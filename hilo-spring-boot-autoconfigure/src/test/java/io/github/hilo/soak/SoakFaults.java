package io.github.hilo.soak;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.TcpProxy;

/**
 * What goes wrong, or is asked for at a bad moment, one thing after the other at random
 * times.
 */
final class SoakFaults {

	private static final int LONGEST_PEACE_MILLIS = 2000;

	private static final int OUTAGE_MILLIS = 1000;

	private static final int LONGEST_PAUSE_MILLIS = 500;

	private final Thread thread = new Thread(this::run, "soak-faults");

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final TcpProxy proxy;

	private final HiLoEngine engine;

	private final Random random;

	private volatile long count;

	SoakFaults(TcpProxy proxy, HiLoEngine engine, long seed) {
		this.proxy = proxy;
		this.engine = engine;
		this.random = new Random(seed);
	}

	void start() {
		this.thread.start();
	}

	/**
	 * Mends what is broken, and breaks nothing after that.
	 */
	void stop() throws InterruptedException {
		this.stopped.countDown();
		this.thread.join();
	}

	long count() {
		return this.count;
	}

	@SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread only
	private void run() {
		try {
			while (!isStoppedWithin(this.random.nextInt(LONGEST_PEACE_MILLIS))) {
				this.count++;
				next();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void next() throws InterruptedException {
		switch (this.random.nextInt(8)) {
			case 0, 1, 2 -> cut(0);
			case 3 -> cut(OUTAGE_MILLIS);
			case 4, 5 -> this.engine.release(null, null);
			default -> pause(this.random.nextInt(LONGEST_PAUSE_MILLIS));
		}
	}

	private void cut(int millis) throws InterruptedException {
		this.proxy.cut();
		isStoppedWithin(millis);
		this.proxy.mend();
	}

	private void pause(int millis) throws InterruptedException {
		this.engine.pause();
		isStoppedWithin(millis);
		this.engine.resume();
	}

	private boolean isStoppedWithin(int millis) throws InterruptedException {
		return this.stopped.await(millis, TimeUnit.MILLISECONDS);
	}

}

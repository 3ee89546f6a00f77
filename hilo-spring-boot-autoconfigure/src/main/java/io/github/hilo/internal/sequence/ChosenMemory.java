package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.internal.store.RepeatedTask;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.store.TimeSource;

/**
 * What the application has chosen, of all sequences of an engine: bounds it, and lets the
 * sequences forget.
 * <p>
 * The bound is {@value #MOST} intervals, divided by the sequences that have any, and
 * {@value #LEAST_SHARE} for each of them at least. Beyond its share, a sequence gives up
 * its smallest gaps for as long as it remembers them. So numbers are lost that nobody has
 * chosen, and no chosen one is issued. If other sequences reduce its share, it does so
 * with its next number, or at the next look.
 * <p>
 * Time is counted in looks, which a timer makes. A look that comes late makes all numbers
 * remembered for longer.
 * <p>
 * Thread-safe: {@code used} is a concurrent set of the sequences that have numbers,
 * {@code looks} is volatile, and this object's lock guards its changes. No lock of
 * {@link ChosenNumbers} is taken while it is held.
 */
public final class ChosenMemory implements AutoCloseable {

	/**
	 * The least time between two looks.
	 */
	static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

	/**
	 * For so many looks after the next one a number is remembered: for 310 seconds at
	 * least, which are five minutes for its document to be stored, and a second in which
	 * finds of a consecutive sequence need not see it.
	 */
	static final int REMEMBERED = 31;

	/**
	 * For so many looks numbers are added to a generation.
	 */
	static final int GENERATION = 20;

	static final int MOST = 65_536;

	static final int LEAST_SHARE = 16;

	private final TimeSource time;

	private final Set<ChosenNumbers> used = ConcurrentHashMap.newKeySet();

	private volatile int looks;

	private long lookedNanos;

	private final RepeatedTask look;

	public ChosenMemory(TimeSource time, Tasks tasks) {
		this.time = time;
		this.look = new RepeatedTask(BETWEEN_LOOKS, time, tasks, this::look, () -> !this.used.isEmpty());
		this.lookedNanos = time.nanoTime();
	}

	/**
	 * Creates the numbers of a sequence whose database is not known, which count in all
	 * databases.
	 */
	public ChosenNumbers ofAllDatabases() {
		return new ChosenNumbers(this, null);
	}

	/**
	 * Returns how many looks there were.
	 */
	int looks() {
		return this.looks;
	}

	/**
	 * Returns how many intervals each sequence may have now.
	 */
	int share() {
		return Math.max(LEAST_SHARE, MOST / Math.max(1, this.used.size()));
	}

	void use(ChosenNumbers numbers) {
		if (!this.used.contains(numbers)) {
			this.used.add(numbers);
		}
		this.look.plan();
	}

	void free(ChosenNumbers numbers) {
		this.used.remove(numbers);
	}

	private void look() {
		count();
		this.used.forEach(ChosenNumbers::forget);
	}

	/**
	 * Counts a look, unless one that an error has doubled comes too early.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // guarded by the lock
	private synchronized void count() {
		long now = this.time.nanoTime();
		if (now - this.lookedNanos >= BETWEEN_LOOKS.toNanos()) {
			this.lookedNanos = now;
			this.looks++;
		}
	}

	@Override
	public void close() {
		this.look.close();
	}

}

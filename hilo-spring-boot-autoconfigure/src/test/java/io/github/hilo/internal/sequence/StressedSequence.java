package io.github.hilo.internal.sequence;

import java.util.concurrent.ThreadLocalRandom;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.LaterTasks;
import io.github.hilo.internal.engine.EngineSteps;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;

/**
 * A sequence at either end of what a {@code long} can count, with a process of its own.
 * Numbers are counted from its first, as 1.
 */
final class StressedSequence {

	/**
	 * Room for the ranges of a stress test.
	 */
	private static final long ROOM = 100;

	static final Place ARCHIVE = Place.ofType("archive", Place.ID, IdForm.NUMBER);

	private final FakeRangeStore store = new FakeRangeStore("shop", new LaterTasks());

	private final HiLoEngine engine;

	private final long before = ThreadLocalRandom.current().nextBoolean() ? 0 : HiLoIdGenerator.MAX_NUMBER - ROOM;

	StressedSequence(long rangeSize, boolean prefetch, int taken) {
		this.store.max(this.before);
		this.engine = EngineSettings.PATIENT.withPrefetch(prefetch)
			.withSequences(1, rangeSize, 2 * rangeSize)
			.engine(this.store, TimeSource.SYSTEM);
		for (int i = 0; i < taken; i++) {
			nextId();
		}
	}

	FakeRangeStore store() {
		return this.store;
	}

	RangeSequence get() {
		return this.engine.sequence(this.store, "orders");
	}

	/**
	 * Returns what is unissued, and waits for it.
	 */
	void release() {
		get().release().join();
	}

	void close() {
		EngineSteps.close(this.engine).join();
	}

	long nextId() {
		return fromFirst(get().placed(null).nextId());
	}

	/**
	 * Takes the next document id, with the number counted from the first.
	 */
	String nextDocumentId() {
		String id = get().placed(null).nextDocumentId();
		int start = id.lastIndexOf('/') + 1;
		int end = id.lastIndexOf('-');
		return id.substring(0, start) + fromFirst(Long.parseLong(id.substring(start, end))) + id.substring(end);
	}

	/**
	 * A document has a number wherever it is asked for.
	 */
	void store(long number) {
		this.store.stored(this.before + number);
	}

	void choose(long number) {
		get().exclude(this.before + number);
	}

	/**
	 * Waits until a number is there without the lock.
	 */
	long nextIdWhereArchiveIsKnown() {
		PlacedSequence archive = get().placed(ARCHIVE);
		long number = RangeCursor.NONE;
		for (int i = 0; i < 1_000 && number == RangeCursor.NONE; i++) {
			number = archive.cursor(IdForm.NUMBER).take();
		}
		return (number != RangeCursor.NONE) ? fromFirst(number) : nextIdForArchive();
	}

	long nextIdForArchive() {
		return fromFirst(get().placed(ARCHIVE).nextId());
	}

	/**
	 * The counter.
	 */
	long max() {
		return fromFirst(this.store.max());
	}

	long fromFirst(long number) {
		return (number != RangeCursor.NONE) ? number - this.before : 0;
	}

}

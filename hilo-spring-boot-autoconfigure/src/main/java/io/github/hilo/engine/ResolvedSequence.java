package io.github.hilo.engine;

import java.util.List;

import io.github.hilo.HiLoSequence;
import io.github.hilo.store.RangeStore;

/**
 * A sequence for one call, whose database the calling thread has resolved.
 *
 * @param sequence the sequence
 * @param callers waits where there is no number
 * @param store the sequence's database
 */
record ResolvedSequence(RangeSequence sequence, BlockingCallers callers, RangeStore store) implements HiLoSequence {

	@Override
	public long nextId() {
		long number = this.sequence.current().take();
		return (number != RangeCursor.NONE) ? number : this.callers.await(this.store).number();
	}

	@Override
	public String nextDocumentId() {
		RangeCursor cursor = this.sequence.current();
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? cursor.documentId(number) : this.callers.await(this.store).documentId();
	}

	@Override
	public long[] nextIds(int count) {
		return this.callers.awaitBlock(this.store, count).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return this.callers.awaitBlock(this.store, count).documentIds();
	}

}

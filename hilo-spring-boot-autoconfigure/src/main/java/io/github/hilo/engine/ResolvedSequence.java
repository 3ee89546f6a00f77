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
		return take().number();
	}

	@Override
	public String nextDocumentId() {
		return take().documentId();
	}

	@Override
	public long[] nextIds(int count) {
		return this.callers.awaitBlock(this.store, count).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return this.callers.awaitBlock(this.store, count).documentIds();
	}

	private IssuedNumber take() {
		IssuedNumber issued = this.sequence.tryTake();
		return (issued != null) ? issued : this.callers.await(this.store);
	}

}

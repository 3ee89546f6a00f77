package io.github.hilo.test;

import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;

/**
 * A generator that looks up on every call which one to ask, and so do its handles.
 */
abstract class ForwardingGenerator implements HiLoIdGenerator {

	abstract HiLoIdGenerator target();

	@Override
	public long nextId(Class<?> entityType) {
		return target().nextId(entityType);
	}

	@Override
	public long nextId(String sequence) {
		return target().nextId(sequence);
	}

	@Override
	public long nextIdFor(Object entity) {
		return target().nextIdFor(entity);
	}

	@Override
	public String nextDocumentId(Class<?> entityType) {
		return target().nextDocumentId(entityType);
	}

	@Override
	public String nextDocumentId(String sequence) {
		return target().nextDocumentId(sequence);
	}

	@Override
	public String nextDocumentIdFor(Object entity) {
		return target().nextDocumentIdFor(entity);
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		return checked(() -> target().sequence(entityType));
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		return checked(() -> target().sequence(sequence));
	}

	@Override
	public void release() {
		target().release();
	}

	@Override
	public long ensureAtLeast(Class<?> entityType, long floor) {
		return target().ensureAtLeast(entityType, floor);
	}

	@Override
	public long ensureAtLeast(String sequence, long floor) {
		return target().ensureAtLeast(sequence, floor);
	}

	/**
	 * Lets a wrong argument fail now, not at the first call.
	 */
	private static HiLoSequence checked(Supplier<HiLoSequence> sequence) {
		HiLoSequence unused = sequence.get();
		return new ForwardingSequence(sequence);
	}

	private record ForwardingSequence(Supplier<HiLoSequence> target) implements HiLoSequence {

		@Override
		public long nextId() {
			return this.target.get().nextId();
		}

		@Override
		public String nextDocumentId() {
			return this.target.get().nextDocumentId();
		}

		@Override
		public long[] nextIds(int count) {
			return this.target.get().nextIds(count);
		}

		@Override
		public List<String> nextDocumentIds(int count) {
			return this.target.get().nextDocumentIds(count);
		}

	}

}

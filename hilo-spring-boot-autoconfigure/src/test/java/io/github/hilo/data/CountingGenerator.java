package io.github.hilo.data;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import org.jspecify.annotations.Nullable;

/**
 * Generator that counts in memory, by the name of a sequence and in no other way.
 */
final class CountingGenerator implements HiLoIdGenerator {

	private final Map<String, Long> last = new ConcurrentHashMap<>();

	private final long first;

	CountingGenerator(long first) {
		this.first = first;
	}

	/**
	 * Returns the last number of each sequence that was used.
	 */
	Map<String, Long> last() {
		return this.last;
	}

	@Override
	public long nextId(String sequence) {
		return this.last.merge(sequence, this.first, (number, first) -> number + 1);
	}

	@Override
	public String nextDocumentId(String sequence) {
		return sequence + "/" + nextId(sequence) + "-A";
	}

	@Override
	public long nextId(Class<?> entityType) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long nextIdFor(Object entity) {
		throw new UnsupportedOperationException();
	}

	@Override
	public String nextDocumentId(Class<?> entityType) {
		throw new UnsupportedOperationException();
	}

	@Override
	public String nextDocumentIdFor(Object entity) {
		throw new UnsupportedOperationException();
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
		throw new UnsupportedOperationException();
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		throw new UnsupportedOperationException();
	}

	@Override
	public HiLoIdGenerator forDatabase(@Nullable String database) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void release() {
		throw new UnsupportedOperationException();
	}

	@Override
	public long ensureAtLeast(Class<?> entityType, long floor) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long ensureAtLeast(String sequence, long floor) {
		throw new UnsupportedOperationException();
	}

}

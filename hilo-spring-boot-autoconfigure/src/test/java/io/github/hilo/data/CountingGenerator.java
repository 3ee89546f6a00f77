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

	private CountingGenerator(long first) {
		this.first = first;
	}

	static CountingGenerator from(long first) {
		return new CountingGenerator(first);
	}

	/**
	 * Returns the last number of each sequence that was used.
	 */
	Map<String, Long> last() {
		return this.last;
	}

	@Override
	public HiLoSequence sequence(String sequence) {
		return new HiLoSequence() {

			@Override
			public long nextId() {
				return CountingGenerator.this.last.merge(sequence, CountingGenerator.this.first,
						(number, first) -> number + 1);
			}

			@Override
			public String nextDocumentId() {
				return sequence + "/" + nextId() + "-A";
			}

			@Override
			public long ensureAtLeast(long floor) {
				throw new UnsupportedOperationException();
			}

		};
	}

	@Override
	public HiLoSequence sequence(Class<?> entityType) {
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

}

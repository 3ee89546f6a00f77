package io.github.hilo.data;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLoIdGenerator;

import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Generator that counts in memory, by the name of a sequence and in no other way.
 */
abstract class CountingGenerator implements HiLoIdGenerator {

	private final Map<String, Long> last = new ConcurrentHashMap<>();

	private final long first;

	CountingGenerator(long first) {
		this.first = first;
	}

	static CountingGenerator from(long first) {
		return mock(CountingGenerator.class,
				withSettings().useConstructor(first).defaultAnswer(CALLS_REAL_METHODS).stubOnly());
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

}

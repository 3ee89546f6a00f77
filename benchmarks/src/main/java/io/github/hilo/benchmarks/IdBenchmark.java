package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.hilo.DefaultHiLoIdGenerator;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoSettings;
import io.github.hilo.TimeSource;
import org.bson.types.ObjectId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One id, with its range in memory, next to a bare counter and the driver's own id.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class IdBenchmark {

	private final HiLoIdGenerator generator = new DefaultHiLoIdGenerator(new CountingStore(), Class::getSimpleName,
			new HiLoSettings("A", "/", Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), true,
					(name) -> new HiLoSettings.SequenceSettings(1, 32, 1_048_576)),
			TimeSource.SYSTEM);

	private final HiLoSequence sequence = this.generator.sequence("orders");

	private final AtomicLong counter = new AtomicLong();

	/**
	 * Takes a number through a handle.
	 * @return the number
	 */
	@Benchmark
	public long hiloSequence() {
		return this.sequence.next();
	}

	/**
	 * Takes a number through the generator.
	 * @return the number
	 */
	@Benchmark
	public long hiloGenerator() {
		return this.generator.nextId("orders");
	}

	/**
	 * Takes a document id through the generator.
	 * @return the id
	 */
	@Benchmark
	public String hiloDocumentId() {
		return this.generator.nextDocumentId("orders");
	}

	/**
	 * Counts, and nothing else.
	 * @return the number
	 */
	@Benchmark
	public long atomicLong() {
		return this.counter.incrementAndGet();
	}

	/**
	 * Makes the driver's own id, as a string.
	 * @return the id
	 */
	@Benchmark
	public String objectId() {
		return new ObjectId().toHexString();
	}

}

package io.github.hilo.benchmarks;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.engine.EntitySequenceNames;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import net.ravendb.client.documents.identity.NextId;
import org.bson.types.ObjectId;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.hibernate.id.enhanced.PooledLoThreadLocalOptimizer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One call, with every range in memory, so that what is measured is the way of an id and
 * no server. The peers count in memory as well.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CallBenchmark {

	private static final int PEERS_STEP = 1000;

	private final HiLoIdGenerator generator = new HiLoEngine(new CountingStore(), new PlacedNames(), Settings.DEFAULTS,
			TimeSource.SYSTEM, (event) -> {
			})
		.generator();

	private final HiLoSequence sequence = this.generator.sequence("orders");

	private final HiLoIdGenerator padded = new HiLoEngine(new CountingStore(), Class::getSimpleName, Settings.padded(8),
			TimeSource.SYSTEM, (event) -> {
			})
		.generator();

	/**
	 * With a meter registry, and with every reservation observed.
	 */
	private final HiLoEngine metered = new HiLoEngine(new CountingStore(), Class::getSimpleName, Settings.DEFAULTS,
			TimeSource.SYSTEM, newListener());

	private final HiLoSequence meteredSequence = this.metered.generator().sequence("orders");

	private final AtomicLong counter = new AtomicLong();

	private final RavenDbClient ravendb = new RavenDbClient();

	private final DefaultSegmentId segment = new DefaultSegmentId(new IdSegmentDistributor.Atomic(PEERS_STEP));

	private final Optimizer pooledLo = new PooledLoOptimizer(Long.class, PEERS_STEP);

	private final Optimizer pooledLoThreadLocal = new PooledLoThreadLocalOptimizer(Long.class, PEERS_STEP);

	private final AccessCallback hibernateCounter = new HibernateCounter();

	/**
	 * Takes a number through a handle.
	 * @return the number
	 */
	@Benchmark
	public long hiloSequence() {
		return this.sequence.nextId();
	}

	/**
	 * Takes a number by the sequence's name.
	 * @return the number
	 */
	@Benchmark
	public long hiloByName() {
		return this.generator.nextId("orders");
	}

	/**
	 * Takes a number through a handle of a generator that is metered.
	 * @return the number
	 */
	@Benchmark
	public long hiloSequenceMetered() {
		return this.meteredSequence.nextId();
	}

	/**
	 * Takes a number by the sequence's name from a generator that is metered.
	 * @return the number
	 */
	@Benchmark
	public long hiloByNameMetered() {
		return this.metered.generator().nextId("orders");
	}

	/**
	 * Takes a number by the entity's type.
	 * @return the number
	 */
	@Benchmark
	public long hiloByType() {
		return this.generator.nextId(CallBenchmark.class);
	}

	/**
	 * Takes a document id by the sequence's name.
	 * @return the id
	 */
	@Benchmark
	public String hiloDocumentId() {
		return this.generator.nextDocumentId("orders");
	}

	/**
	 * Takes a document id whose number has at least 8 digits.
	 * @return the id
	 */
	@Benchmark
	public String hiloPaddedDocumentId() {
		return this.padded.nextDocumentId("orders");
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
	 * Takes a number from RavenDB's client, whose range is as good as endless.
	 * @return the number
	 */
	@Benchmark
	public NextId ravendb() {
		return this.ravendb.getNextId();
	}

	/**
	 * Takes a number from CosId's segment.
	 * @return the number
	 */
	@Benchmark
	public long cosIdSegment() {
		return this.segment.generate();
	}

	/**
	 * Takes a number from CosId's chain of segments.
	 * @param chain the chain
	 * @return the number
	 */
	@Benchmark
	public long cosIdChain(CosIdChain chain) {
		return chain.ids.generate();
	}

	/**
	 * Takes a number from Hibernate's pooled-lo optimizer.
	 * @return the number
	 */
	@Benchmark
	public Object hibernatePooledLo() {
		return this.pooledLo.generate(this.hibernateCounter);
	}

	/**
	 * Takes a number from Hibernate's optimizer with a range per thread.
	 * @return the number
	 */
	@Benchmark
	public Object hibernatePooledLoThreadLocal() {
		return this.pooledLoThreadLocal.generate(this.hibernateCounter);
	}

	/**
	 * Makes the driver's own id, as a string.
	 * @return the id
	 */
	@Benchmark
	public String objectId() {
		return new ObjectId().toHexString();
	}

	/**
	 * Makes a random UUID.
	 * @return the UUID
	 */
	@Benchmark
	public UUID randomUuid() {
		return UUID.randomUUID();
	}

	private static Consumer<SequenceEvent> newListener() {
		MeterRegistry registry = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		HiLoMetrics meters = new HiLoMetrics(registry, observations);
		return new ReservationLog(TimeSource.SYSTEM, () -> meters);
	}

	/**
	 * Types whose numbers go to the ids of a collection, as those of documents do.
	 */
	private static final class PlacedNames implements EntitySequenceNames {

		@Override
		public String nameOf(Class<?> entityType) {
			return entityType.getSimpleName();
		}

		@Override
		public Place registerPlaceOf(Class<?> entityType) {
			return Place.ofType(nameOf(entityType), Place.ID, IdForm.NUMBER);
		}

	}

	/**
	 * CosId's chain, apart because it starts a thread.
	 */
	@State(Scope.Benchmark)
	public static class CosIdChain {

		private final SegmentChainId ids = new SegmentChainId(new IdSegmentDistributor.Atomic(PEERS_STEP));

	}

	/**
	 * RavenDB's client with a range that is as good as endless.
	 */
	private static final class RavenDbClient extends net.ravendb.client.documents.identity.HiLoIdGenerator {

		@SuppressWarnings("NullAway") // the document store is not asked while the range
										// lasts
		private RavenDbClient() {
			super("orders", null, "shop", '/');
			setRange(new RangeValue(1, Long.MAX_VALUE, "A"));
		}

	}

	/**
	 * A sequence in memory, as Hibernate asks for it.
	 */
	private static final class HibernateCounter implements AccessCallback {

		private final AtomicLong next = new AtomicLong(1);

		@Override
		public IntegralDataTypeHolder getNextValue() {
			return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
				.initialize(this.next.getAndAdd(PEERS_STEP));
		}

		@Override
		public @Nullable String getTenantIdentifier() {
			return null;
		}

	}

}

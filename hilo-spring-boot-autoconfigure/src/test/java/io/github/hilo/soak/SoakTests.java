package io.github.hilo.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TcpProxy;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.WithoutWarnings;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ids for as many minutes as are asked for, at least two, while connections are cut, the
 * server is away, and the generator is released, paused and resumed. Prints a line per
 * minute. The seed decides on the faults, though not on what they hit:
 * {@code mvn test -pl hilo-spring-boot-autoconfigure -Dtest=SoakTests -Dhilo.soak.minutes=15}.
 * There are also {@code hilo.soak.rate}, in ids per second, and {@code hilo.soak.seed}.
 */
@EnabledIfSystemProperty(named = SoakTests.MINUTES_PROPERTY, matches = "\\d+",
		disabledReason = "It takes as long as you say")
@ExtendWith(WithoutWarnings.class)
class SoakTests {

	static final String MINUTES_PROPERTY = "hilo.soak.minutes";

	private static final int RATE = Integer.getInteger("hilo.soak.rate", 2000);

	private static final long SEED = Long.getLong("hilo.soak.seed", 1);

	private static final int LONGEST_PEACE_MILLIS = 2000;

	private static final int OUTAGE_MILLIS = 1000;

	private static final int LONGEST_PAUSE_MILLIS = 500;

	/**
	 * What the heap may vary by: buffers and connections come and go.
	 */
	private static final long HEAP_SLACK_BYTES = 2_000_000;

	/**
	 * What the number of threads may vary by.
	 */
	private static final int THREAD_SLACK = 4;

	/**
	 * The serial collector leaves garbage in place in three of four collections.
	 */
	private static final int COLLECTIONS = 4;

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final Random random = new Random(SEED);

	private int faults;

	@Test
	void idsStayUniqueAndNothingGrows() throws IOException {
		try (TcpProxy proxy = new TcpProxy(MongoTestServer.primary())) {
			this.applications.run((app) -> soak(proxy, app), "spring.mongodb.uri=mongodb://" + proxy.address(),
					"hilo.timeout=2s", "hilo.range.max-size=1024");
		}
	}

	private void soak(TcpProxy proxy, TestApplication app) throws InterruptedException {
		int minutes = Integer.getInteger(MINUTES_PROPERTY);
		assertThat(minutes).as("minutes, of which the first one warms up").isGreaterThan(1);
		SoakLoad load = new SoakLoad(sources(app), RATE);
		List<Sample> samples = new ArrayList<>(List.of(new Sample(0, 0, 0, 0, 0)));
		try {
			for (int minute = 1; minute <= minutes && load.broken().isEmpty(); minute++) {
				breakThings(proxy, app, load);
				// The documents would fill the heap, because the server may be in this
				// process.
				this.applications.database().collection("visit").deleteMany(new Document());
				Sample sample = sample(load);
				System.out.println(sample.describe(minute, samples.get(minute - 1)));
				samples.add(sample);
			}
		}
		finally {
			load.stop();
		}
		assertThat(load.broken()).as("seed %d", SEED).isEmpty();
		Sample warm = samples.get(1);
		Sample before = samples.get(minutes - 1);
		Sample end = samples.get(minutes);
		assertThat(end.heapBytes()).as("heap").isLessThan(warm.heapBytes() + HEAP_SLACK_BYTES);
		assertThat(end.threads()).as("threads").isLessThan(warm.threads() + THREAD_SLACK);
		assertThat(end.faults()).as("faults").isGreaterThan(before.faults());
		assertThat(end.ids() - before.ids()).as("ids of the last minute").isGreaterThan(RATE * 60L / 2);
	}

	/**
	 * Lets one thing after the other go wrong, or asks for it at a bad moment, for a
	 * minute.
	 */
	private void breakThings(TcpProxy proxy, TestApplication app, SoakLoad load) throws InterruptedException {
		long begunNanos = System.nanoTime();
		while (System.nanoTime() - begunNanos < TimeUnit.MINUTES.toNanos(1)
				&& !load.isBrokenWithin(this.random.nextInt(LONGEST_PEACE_MILLIS))) {
			this.faults++;
			switch (this.random.nextInt(8)) {
				case 0, 1, 2 -> cut(proxy, load, 0);
				case 3 -> cut(proxy, load, OUTAGE_MILLIS);
				case 4, 5 -> app.engine().release(null, null);
				default -> {
					app.engine().pause();
					load.isBrokenWithin(this.random.nextInt(LONGEST_PAUSE_MILLIS));
					app.engine().resume();
				}
			}
		}
	}

	private static void cut(TcpProxy proxy, SoakLoad load, int millis) throws InterruptedException {
		proxy.cut();
		load.isBrokenWithin(millis);
		proxy.mend();
	}

	private static List<Consumer<LongConsumer>> sources(TestApplication app) {
		HiLoSequence ticks = app.generator().sequence("ticks");
		return List.of((issued) -> issued.accept(ticks.nextId()), (issued) -> {
			Visit visit = new Visit();
			try {
				app.template().insert(visit);
			}
			finally {
				if (visit.id != null) {
					issued.accept(
							Long.parseLong(visit.id.substring("visit/".length(), visit.id.length() - "-A".length())));
				}
			}
		});
	}

	private Sample sample(SoakLoad load) {
		long heapBytes = LongStream.generate(SoakTests::collect).limit(COLLECTIONS).min().orElseThrow();
		long threads = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.getName().equals("tcp-proxy"))
			.count();
		return new Sample(load.ids(), load.failures(), this.faults, heapBytes - load.bytes(), threads);
	}

	private static long collect() {
		System.gc();
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
			.mapToLong((pool) -> pool.getCollectionUsage().getUsed())
			.sum();
	}

	/**
	 * What a soak looks like at one moment.
	 *
	 * @param ids how many numbers were issued so far
	 * @param failures how many calls have failed so far
	 * @param faults how many things have gone wrong so far
	 * @param heapBytes the least that a few collections leave of the heap, without the
	 * bits of the load
	 * @param threads how many threads live, without those of the proxy, which has two for
	 * each connection
	 */
	record Sample(long ids, long failures, long faults, long heapBytes, long threads) {

		/**
		 * Describes the time since an earlier sample.
		 */
		String describe(int minute, Sample before) {
			return String.format(Locale.ROOT, "minute %d: ids %d, failures %d, faults %d, heap %.1f MB, threads %d",
					minute, this.ids - before.ids, this.failures - before.failures, this.faults - before.faults,
					this.heapBytes / 1e6, this.threads);
		}

	}

	static final class Visit {

		@Nullable String id;

	}

}

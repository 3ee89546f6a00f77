package io.github.hilo.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.mongodb.ConnectionString;
import com.mongodb.ServerAddress;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TcpProxy;
import io.github.hilo.fixture.WithoutWarnings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

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

	/**
	 * What the heap may vary by: buffers and connections come and go.
	 */
	private static final long HEAP_SLACK_BYTES = 2_000_000;

	/**
	 * What the number of threads may vary by.
	 */
	private static final int THREAD_SLACK = 4;

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void idsStayUniqueAndNothingGrows() throws IOException {
		ServerAddress server = new ServerAddress(new ConnectionString(MongoTestServer.uri()).getHosts().get(0));
		try (TcpProxy proxy = new TcpProxy(server.getHost(), server.getPort())) {
			SoakApplication.contextRunner(this.database, proxy)
				.run((context) -> soak(proxy, SoakApplication.of(context, this.database)));
		}
		finally {
			MongoTestServer.client().getDatabase(this.database.name()).drop();
		}
	}

	private static void soak(TcpProxy proxy, SoakApplication application) throws InterruptedException {
		int minutes = Integer.getInteger(MINUTES_PROPERTY);
		assertThat(minutes).as("minutes, of which the first one warms up").isGreaterThan(1);
		SoakLoad load = new SoakLoad(application.sources(), RATE);
		List<SoakSample> samples = new ArrayList<>();
		SoakFaults faults = new SoakFaults(proxy, application.engine(), SEED);
		samples.add(SoakSample.NONE);
		load.start();
		faults.start();
		try {
			for (int minute = 1; minute <= minutes && load.broken().isEmpty(); minute++) {
				load.awaitBreakage(Duration.ofMinutes(1));
				application.removeDocuments();
				SoakSample sample = SoakSample.take(load, faults, application);
				System.out.println(sample.describe(minute, samples.get(minute - 1)));
				samples.add(sample);
			}
		}
		finally {
			faults.stop();
			load.stop();
		}
		assertThat(load.broken()).as("seed %d", SEED).isEmpty();
		requireFlat(samples.get(1), samples.get(minutes));
		requireAlive(samples.get(minutes - 1), samples.get(minutes));
	}

	private static void requireAlive(SoakSample before, SoakSample end) {
		assertThat(end.faults()).as("faults").isGreaterThan(before.faults());
		assertThat(end.ids() - before.ids()).as("ids of the last minute").isGreaterThan(RATE * 60L / 2);
	}

	private static void requireFlat(SoakSample warm, SoakSample end) {
		assertThat(end.heapBytes()).as("heap").isLessThan(warm.heapBytes() + HEAP_SLACK_BYTES);
		assertThat(end.threads()).as("threads").isLessThan(warm.threads() + THREAD_SLACK);
	}

}

package io.github.hilo.processes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Thorough;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes of their own that insert into one collection and are killed, or told to stop,
 * while they do. Fifty kills instead of a few:
 * {@code mvn -P exhaustive verify -pl hilo-spring-boot-autoconfigure -Dtest=ProcessDeathTests -Dhilo.processes.kills=50}.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "It has no signals")
@Thorough
class ProcessDeathTests {

	private static final int KILLS = Integer.getInteger("hilo.processes.kills", 5);

	private static final long SEED = Long.getLong("hilo.processes.seed", ThreadLocalRandom.current().nextLong());

	private static final int PROCESSES = 4;

	private static final int THREADS = 2;

	private static final int LONGEST_LIFE_MILLIS = 1500;

	private static final int INITIAL_SIZE = 16;

	private static final int MAX_SIZE = 64;

	/**
	 * The most unissued numbers that a process can have to itself. It asks for the range
	 * that follows, and then keeps it, only once at least half of the current one is
	 * used; and it asks for, or keeps, no more than one.
	 */
	private static final int MOST_UNISSUED = MAX_SIZE / 2 + MAX_SIZE;

	/**
	 * The most numbers that one kill can cost. Each thread may have been given a number
	 * whose order was not stored yet.
	 */
	private static final int MOST_LOST_BY_KILL = MOST_UNISSUED + THREADS;

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final Queue<ChildProcess> started = new ConcurrentLinkedQueue<>();

	@AfterEach
	void endProcesses() {
		this.started.forEach(ChildProcess::close);
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@Test
	void killedProcessLosesAtMostTheNumbersItHeld() throws Exception {
		start(THREADS).awaitInserting().kill();
		assertThat(StoredNumbers.of(this.database).lost()).isBetween(0L, (long) MOST_LOST_BY_KILL);
	}

	@Test
	@Exhaustive
	void killedProcessesLoseTheNumbersTheyHeldAndNoNumberIsStoredTwice() throws Exception {
		List<ChildProcess> survivors = killAndReplace();
		ChildProcess last = survivors.remove(0);
		for (ChildProcess survivor : survivors) {
			survivor.terminate();
		}
		StoredNumbers shared = awaitRangesOfItsOwn();
		last.terminate();

		StoredNumbers numbers = StoredNumbers.of(this.database);
		System.out.printf("%d kills, seed %d: %s, %d lost%n", KILLS, SEED, numbers, numbers.lost());
		assertThat(numbers.highest()).as("a stop returns all that is unissued of the newest ranges")
			.isEqualTo(numbers.granted());
		assertThat(numbers.granted()).isGreaterThan(shared.granted());
		// Those that stopped first could return only what was granted to nobody since.
		assertThat(numbers.lost()).as("numbers lost by %d kills, seed %d", KILLS, SEED)
			.isBetween(0L, KILLS * (long) MOST_LOST_BY_KILL + survivors.size() * (long) MOST_UNISSUED);
	}

	@Test
	void stoppedProcessEndsItsInsertsAndLosesNothing() throws Exception {
		ChildProcess process = start(2 * PROCESSES).awaitInserting();
		process.run(Duration.ofMillis(new Random(SEED).nextInt(LONGEST_LIFE_MILLIS)));
		long acknowledged = process.terminate();
		assertThat(StoredNumbers.of(this.database)).as("seed %d", SEED)
			.isEqualTo(new StoredNumbers(acknowledged, acknowledged, acknowledged));
	}

	/**
	 * Kills processes at random times after their first insert, and starts another one in
	 * place of each.
	 * @return the processes that run at last, all of them inserting
	 */
	private List<ChildProcess> killAndReplace() throws InterruptedException, ExecutionException {
		AtomicInteger killsLeft = new AtomicInteger(KILLS);
		List<Callable<ChildProcess>> places = new ArrayList<>();
		for (int i = 0; i < PROCESSES; i++) {
			Random random = new Random(SEED + i);
			places.add(() -> {
				ChildProcess process = start(THREADS).awaitInserting();
				while (killsLeft.getAndDecrement() > 0) {
					process.run(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)));
					process.kill();
					process = start(THREADS).awaitInserting();
				}
				return process;
			});
		}
		ExecutorService executor = Executors.newFixedThreadPool(PROCESSES);
		try {
			List<ChildProcess> survivors = new ArrayList<>();
			for (Future<ChildProcess> place : executor.invokeAll(places)) {
				survivors.add(place.get());
			}
			return survivors;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Waits until the only process that is left holds no range that lies below one of a
	 * process that is gone.
	 */
	private StoredNumbers awaitRangesOfItsOwn() {
		StoredNumbers shared = StoredNumbers.of(this.database);
		Awaitility.await().until(() -> this.database.max(InsertingProcess.ORDERS) > shared.granted() + 4 * MAX_SIZE);
		return shared;
	}

	private ChildProcess start(int threads) {
		List<String> arguments = new ArrayList<>(List.of(this.database.connectionArguments()));
		arguments.add("--" + InsertingProcess.THREADS_PROPERTY + "=" + threads);
		arguments.add("--hilo.range.initial-size=" + INITIAL_SIZE);
		arguments.add("--hilo.range.max-size=" + MAX_SIZE);
		arguments.add("--spring.main.banner-mode=off");
		ChildProcess process = ChildProcess.start(InsertingProcess.class, System.getProperty("java.class.path"),
				List.of(), arguments);
		this.started.add(process);
		return process;
	}

}

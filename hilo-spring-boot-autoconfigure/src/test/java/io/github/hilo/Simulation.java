package io.github.hilo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.hilo.fixture.AnyValue;
import io.github.hilo.fixture.VirtualTime;
import io.github.hilo.mongodb.CounterMutant;
import io.github.hilo.mongodb.SimulatedClient;
import io.github.hilo.mongodb.SimulatedReplicaSet;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;

/**
 * Processes that count in one document, and whatever may happen to them, to the network
 * and to the server. Everything follows from the seed.
 */
final class Simulation {

	static final String SEQUENCE = "orders";

	private static final String COUNTER = "Raven/HiLo/orders";

	private static final int MAX_PROCESSES = 4;

	private static final Duration NO_LAG = Duration.ofMillis(5);

	private final VirtualTime time = new VirtualTime();

	private final SimulatedReplicaSet server;

	private final Judge judge;

	private final List<SimulatedProcess> processes = new ArrayList<>();

	private final Random random;

	private final CounterMutant mutant;

	private final Weather weather;

	private final HiLoSettings settings;

	private final SimulatedClient.Faults faults;

	Simulation(long seed, Weather weather, CounterMutant mutant) {
		this.random = AnyValue.newRandom(seed);
		this.weather = weather;
		this.mutant = mutant;
		this.server = new SimulatedReplicaSet(this.time, this.random);
		this.judge = new Judge(this.server);
		mutant.apply(this.server);
		long initialSize = 1L + this.random.nextInt(4);
		HiLoSettings.SequenceSettings own = new HiLoSettings.SequenceSettings(1, initialSize,
				initialSize * (1 + this.random.nextInt(4)));
		this.settings = new HiLoSettings("A", "/", Duration.ofSeconds(10), Duration.ofSeconds(30),
				Duration.ofSeconds(60), 2, this.random.nextInt(4) > 0, (sequence) -> own);
		this.faults = (weather == Weather.CALM) ? SimulatedClient.Faults.NONE
				: new SimulatedClient.Faults(likelihood(), likelihood(), likelihood(), likelihood());
	}

	private double likelihood() {
		return this.random.nextBoolean() ? 0 : this.random.nextDouble() * 0.2;
	}

	/**
	 * Runs until nothing happens any more.
	 * @throws Judge.BrokenPromise if a promise was broken
	 */
	void run() {
		List<PendingNumber> callers = new ArrayList<>();
		start();
		long millis = 0;
		for (int events = 10 + this.random.nextInt(30); events > 0; events--) {
			millis += this.random.nextInt((this.random.nextInt(10) == 0) ? 30_000 : 200);
			this.time.after(Duration.ofMillis(millis), this::somethingHappens);
		}
		// In the end everything works, and what was held is used or given back.
		this.time.after(Duration.ofMillis(millis), this::heal);
		this.time.after(Duration.ofMillis(millis + 60_000),
				() -> alive().forEach((process) -> callers.addAll(process.take(9))));
		this.time.after(Duration.ofMillis(millis + 90_000), () -> alive().forEach(SimulatedProcess::stop));
		while (this.time.step()) {
			this.judge.check();
		}
		this.judge.checkServed(callers);
		if (this.weather != Weather.DAMAGE) {
			this.judge.checkLosses();
		}
	}

	/**
	 * A process is about to give back what it holds. Where others are granted numbers,
	 * its two ranges need not be adjacent, and only the end of the later one can go back.
	 */
	void mayLoseMiddle() {
		if (this.processes.size() > 1 || this.weather != Weather.CALM) {
			this.judge.mayLose(this.settings.sequences().apply(SEQUENCE).maxSize());
		}
	}

	private void heal() {
		this.server.lag(NO_LAG);
		alive().forEach(SimulatedProcess::heal);
	}

	private void somethingHappens() {
		List<SimulatedProcess> alive = alive();
		if (alive.isEmpty()) {
			start();
			return;
		}
		SimulatedProcess process = alive.get(this.random.nextInt(alive.size()));
		switch (this.random.nextInt(this.weather.events)) {
			case 0, 1, 2, 3, 4, 5, 6 -> process.take(1 + this.random.nextInt(8));
			case 7 -> process.takeBlock(1 + this.random.nextInt(12));
			case 8 -> start();
			case 9 -> process.stop();
			case 10 -> process.release();
			case 11 -> process.pause(SimulatedProcess::resume);
			case 12 -> process.pause(this::restoreTwice);
			case 13 -> process.resume();
			case 14 -> process.crash();
			case 15 -> process.cutNetwork(true);
			case 16, 17 -> process.cutNetwork(false);
			case 18, 19 -> this.server.elect();
			case 20 -> this.server.lag(Duration.ofSeconds(1 + this.random.nextInt(20)));
			case 21 -> this.server.lag(NO_LAG);
			case 22 -> {
				if (this.random.nextBoolean()) {
					raise();
				}
				else {
					lift(process);
				}
			}
			case 23, 24 -> {
				this.server.restore();
				everybodyIsBusy();
			}
			case 25 -> {
				this.server.delete(COUNTER);
				everybodyIsBusy();
			}
			default -> throw new IllegalStateException("There is no such event");
		}
	}

	/**
	 * What damage does shows in who reserves and returns next, and in which order.
	 */
	private void everybodyIsBusy() {
		for (int i = 0; i < 8; i++) {
			List<SimulatedProcess> alive = alive();
			SimulatedProcess process = alive.get(this.random.nextInt(alive.size()));
			boolean takes = this.random.nextInt(3) > 0;
			this.time.after(Duration.ofMillis(this.random.nextInt(100)), () -> {
				if (takes) {
					process.take(1);
				}
				else {
					process.release();
				}
			});
		}
	}

	private List<SimulatedProcess> alive() {
		return this.processes.stream().filter(SimulatedProcess::isAlive).toList();
	}

	private void start() {
		if (alive().size() < MAX_PROCESSES) {
			this.processes.add(SimulatedProcess.start(this));
		}
	}

	/**
	 * A snapshot of a process is restored twice, and the process itself ends or goes on.
	 */
	private void restoreTwice(SimulatedProcess process) {
		for (int i = 0; i < 2; i++) {
			SimulatedProcess copy = process.copy();
			this.processes.add(copy);
			copy.resume();
		}
		if (this.random.nextBoolean()) {
			process.crash();
		}
		else {
			process.resume();
		}
	}

	/**
	 * Somebody sets the counter higher, with a fresh grant, as the documentation asks
	 * for.
	 */
	private void raise() {
		long by = 1L + this.random.nextInt(20);
		this.judge.mayLose(by);
		this.server.administer((documents) -> {
			BsonString id = new BsonString(COUNTER);
			long max = Judge.max(documents.find(new BsonDocument("_id", id)));
			documents.put(new BsonDocument("_id", id).append("Max", new BsonInt64(max + by))
				.append("Grant", new BsonObjectId(new ObjectId())));
		});
	}

	/**
	 * A process lifts the counter, to below or above where it stands.
	 */
	private void lift(SimulatedProcess process) {
		long max = Judge.max(this.judge.counter());
		long floor = Math.max(1, max - 10 + this.random.nextInt(30));
		// What lies below, and the ranges that are dropped or can't go back any more.
		this.judge.mayLose(Math.max(0, floor - max) + 2 * this.settings.sequences().apply(SEQUENCE).maxSize());
		process.lift(floor);
	}

	VirtualTime time() {
		return this.time;
	}

	HiLoSettings settings() {
		return this.settings;
	}

	Judge judge() {
		return this.judge;
	}

	SimulatedClient newClient() {
		return new SimulatedClient(this.server, this.time, this.random, this.faults, this.judge);
	}

	RangeStore newStore(SimulatedClient client) {
		return client.store(this.mutant);
	}

	/**
	 * What may happen.
	 */
	enum Weather {

		/**
		 * Nothing but processes that come and go.
		 */
		CALM(12),

		/**
		 * Crashes, elections and a network that can't be relied on.
		 */
		ROUGH(23),

		/**
		 * All that, and a counter that is restored from a backup, deleted or set by hand.
		 */
		DAMAGE(26);

		/**
		 * How many of the events, which are in the order of their force.
		 */
		private final int events;

		Weather(int events) {
			this.events = events;
		}

	}

}

package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.hilo.fixture.AnyValue;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.VirtualTime;
import io.github.hilo.internal.counter.CounterMutant;
import io.github.hilo.internal.counter.SimulatedClient;
import io.github.hilo.internal.counter.SimulatedGrants;
import io.github.hilo.internal.counter.SimulatedReplicaSet;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.Tasks;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Processes that count in one document and store others under their numbers, and whatever
 * may happen to them, to the network and to the server. Everything follows from the seed.
 */
final class Simulation {

	static final String SEQUENCE = "orders";

	private static final String COUNTER = "Raven/HiLo/orders";

	/**
	 * What ends a document id: only the first of them is one that is issued.
	 */
	private static final List<String> TAGS = List.of("-A", "-B", "");

	private static final int MAX_PROCESSES = 4;

	/**
	 * One in so many schedules is of a consecutive sequence.
	 */
	private static final int CONSECUTIVE_ONE_IN = 8;

	private static final int CONSECUTIVE_REMAINDER = 6;

	private static final int LOST_ONE_IN = 40;

	private static final Duration NO_LAG = Duration.ofMillis(5);

	private final VirtualTime time = new VirtualTime();

	private final SimulatedReplicaSet server;

	private final PromiseChecker checker;

	private final List<SimulatedProcess> processes = new ArrayList<>();

	private final Random random;

	/**
	 * Decides about numbers that the application chooses in batches, or {@code null} if
	 * it chooses one at a time.
	 */
	private final @Nullable Random batches;

	private final CounterMutant mutant;

	private final Faultiness faultiness;

	private final HiLoSettings settings;

	private final boolean consecutive;

	/**
	 * Whether everything works from now on.
	 */
	private boolean healed;

	private final SimulatedClient.Faults faults;

	/**
	 * Where ids of the sequence are stored, as every process knows.
	 */
	private final List<Place> places;

	/**
	 * Where ids are stored, too, once a process has saved to it.
	 */
	private final List<Place> late;

	/**
	 * The ids that the application stores with its next write, by their place.
	 */
	private final Map<Place, List<BsonValue>> unstored = new LinkedHashMap<>();

	private int sources;

	Simulation(long seed, Faultiness faultiness, CounterMutant mutant) {
		this.random = AnyValue.newRandom(seed);
		// Every other schedule, so that the others stay as they are.
		this.batches = (seed % 2 == 0) ? AnyValue.newRandom(-seed) : null;
		this.faultiness = faultiness;
		this.mutant = mutant;
		this.server = new SimulatedReplicaSet(this.time, this.random);
		int form = this.random.nextInt(9);
		this.places = (form < 2) ? List.of() : places(form, SEQUENCE);
		this.late = (form < 2 || this.random.nextBoolean()) ? List.of() : places(form, "archive");
		mutant.apply(this.server);
		long initialSize = 1L + this.random.nextInt(4);
		long maxSize = initialSize * (1 + this.random.nextInt(4));
		this.checker = new PromiseChecker(this.server, this.places, maxSize, this.time);
		HiLoSettings settings = EngineSettings.DEFAULTS.withPrefetch(this.random.nextInt(4) > 0)
			.withSequences(1, initialSize, maxSize)
			.settings();
		// By the seed, so that the schedules of the other seeds stay as they are.
		this.consecutive = seed % CONSECUTIVE_ONE_IN == CONSECUTIVE_REMAINDER;
		EngineSettings checked = new EngineSettings(settings).withChecks(!this.places.isEmpty());
		this.settings = (this.consecutive ? checked.withConsecutiveSequences() : checked).settings();
		long busyMillis = (this.random.nextInt(4) == 0) ? 8_000 : 5;
		this.faults = (faultiness == Faultiness.CALM) ? new SimulatedClient.Faults(0, 0, 0, 0, busyMillis)
				: new SimulatedClient.Faults(likelihood(), 3 * likelihood(), likelihood(), likelihood(), busyMillis);
		if (faultiness != Faultiness.CALM) {
			this.server.confuse((this.random.nextInt(4) == 0) ? 0.6 : likelihood());
		}
	}

	private static List<Place> places(int form, String collection) {
		boolean numbers = form < 5 || form == 8;
		boolean texts = form > 4;
		return Stream.of(IdForm.values())
			.filter((stored) -> (stored == IdForm.TEXT) ? texts : numbers)
			.map((stored) -> Place.ofType(collection, Place.ID, stored))
			.toList();
	}

	private double likelihood() {
		return this.random.nextBoolean() ? 0 : this.random.nextDouble() * 0.2;
	}

	/**
	 * Runs until nothing happens any more.
	 * @throws PromiseChecker.BrokenPromise if a promise was broken
	 */
	void run() {
		List<Waiter> callers = new ArrayList<>();
		for (int i = this.random.nextInt(16) - 8; i > 0; i--) {
			storeOwn();
		}
		start();
		long millis = 0;
		// The order of calls is at stake where they meet on their way.
		int most = this.consecutive ? 120 : 30;
		int pause = this.consecutive ? 10 : 200;
		for (int events = 10 + this.random.nextInt(most); events > 0; events--) {
			millis += this.random.nextInt((this.random.nextInt(most / 3) == 0) ? 30_000 : pause);
			this.time.after(Duration.ofMillis(millis), this::somethingHappens);
		}
		// In the end everything works, and what was held is used or returned.
		this.time.after(Duration.ofMillis(millis), this::heal);
		this.time.after(Duration.ofMillis(millis + 60_000),
				() -> alive().forEach((process) -> callers.addAll(process.take(9))));
		this.time.after(Duration.ofMillis(millis + 90_000), () -> alive().forEach(SimulatedProcess::stop));
		while (this.time.step()) {
			this.checker.check();
		}
		this.checker.checkServed(callers);
		if (this.faultiness != Faultiness.DAMAGE) {
			this.checker.checkLosses();
		}
	}

	/**
	 * A process is about to return what it holds. Where others are granted numbers, its
	 * two ranges need not be adjacent, and only the end of the later one can go back.
	 */
	void mayLoseMiddle(long held) {
		if (this.processes.size() > 1 || this.faultiness != Faultiness.CALM) {
			this.checker.mayLose(held);
		}
	}

	/**
	 * How long a caller waits. Who leaves early leaves a reservation behind that others
	 * may be served from.
	 */
	Duration patience() {
		boolean impatient = this.consecutive && !this.healed && this.random.nextInt(4) > 0;
		return impatient ? Duration.ofMillis(this.random.nextInt(15)) : this.settings.timeout();
	}

	/**
	 * Whether a copy of a process goes on with a copy of its client.
	 */
	boolean copiesClients() {
		return this.random.nextBoolean();
	}

	/**
	 * Whether an operation is never sent, as if an error had struck the thread that was
	 * about to.
	 */
	boolean losesOperation() {
		return this.faultiness != Faultiness.CALM && !this.healed && this.random.nextInt(LOST_ONE_IN) == 0;
	}

	private void heal() {
		this.healed = true;
		this.server.confuse(0);
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
		switch (this.random.nextInt(this.faultiness.events)) {
			case 0, 1, 2, 3, 4, 5, 6 -> process.take(1 + this.random.nextInt(this.consecutive ? 2 : 8));
			case 7 -> process.takeBlock(1 + this.random.nextInt(12));
			case 8 -> start();
			case 9 -> process.stop();
			case 10 -> process.release();
			case 11 -> process.pause(SimulatedProcess::resume);
			case 12 -> {
				switch (this.random.nextInt(5)) {
					case 0 -> storeOwn();
					case 1 -> process.choose(1 + this.random.nextInt(this.random.nextBoolean() ? 3 : 40));
					case 2 -> process.saveLate(1 + this.random.nextInt(6));
					default -> process.saveLate(1);
				}
			}
			case 13 -> process.pause(this::restoreTwice);
			case 14 -> process.resume();
			case 15 -> process.crash();
			case 16 -> process.cutNetwork(true);
			case 17, 18 -> process.cutNetwork(false);
			case 19, 20 -> this.server.elect();
			case 21 -> this.server.lag(Duration.ofSeconds(1 + this.random.nextInt(20)));
			case 22 -> this.server.lag(NO_LAG);
			case 23 -> {
				if (this.random.nextBoolean()) {
					raise();
				}
				else {
					raise(process);
				}
			}
			case 24 -> {
				for (int i = 1 + this.random.nextInt(3); i > 0; i--) {
					this.time.after(Duration.ofMillis(this.random.nextInt(100)), this.server::carryOutAgain);
				}
				everybodyIsBusy();
			}
			case 25, 26 -> {
				restore();
				everybodyIsBusy();
			}
			case 27 -> {
				this.time.after(Duration.ofMillis(this.random.nextInt(50)), this::delete);
				everybodyIsBusy();
			}
			default -> throw new IllegalStateException("There is no such event");
		}
	}

	/**
	 * Somebody restores the database from a backup, or one of its collections.
	 */
	private void restore() {
		switch (this.random.nextInt(4)) {
			case 0 -> this.server.restoreDocuments();
			case 1 -> this.server.restore(true);
			default -> this.server.restore(false);
		}
	}

	/**
	 * Somebody deletes the counter or lowers it, with or without the documents.
	 */
	private void delete() {
		int what = this.random.nextInt(8);
		if (what < 2) {
			this.server.deleteDocuments();
		}
		if (what > 5) {
			setMax(PromiseChecker.max(this.checker.counter()) / 2, this.server::damage);
		}
		else if (what > 0) {
			this.server.damage((counters) -> counters.remove(COUNTER));
		}
	}

	/**
	 * The application stores ids that it has made up, below the counter or above.
	 */
	private void storeOwn() {
		long max = PromiseChecker.max(this.checker.counter());
		long first = this.random.nextBoolean() ? max + 1 + this.random.nextInt(20)
				: Math.max(1, max + 1 - this.random.nextInt(12));
		long last = first + this.random.nextInt(3);
		for (long number = first; number <= last; number++) {
			store(number, TAGS.get(this.random.nextInt(TAGS.size())));
		}
	}

	/**
	 * The application stores most of what it is issued, soon or late, in the first place.
	 */
	void issued(long number, Place asked, Runnable stores) {
		int fate = this.random.nextInt(16);
		if (this.places.isEmpty()) {
			return;
		}
		Place place = asked;
		if (fate > 2) {
			stores.run();
		}
		if (fate > 3) {
			store(number, "-A", place);
		}
		else if (fate > 2) {
			this.time.after(Duration.ofMillis(this.random.nextInt(30_000)), () -> store(number, "-A", place));
		}
	}

	/**
	 * Where a number goes that is asked for.
	 */
	Place anyPlace() {
		return this.places.isEmpty() ? Place.ofType(SEQUENCE, Place.ID, IdForm.NUMBER) : any(this.places);
	}

	boolean chance() {
		return this.random.nextBoolean();
	}

	private Place any(List<Place> places) {
		return places.get(this.random.nextInt(places.size()));
	}

	private void store(long number, String tag) {
		if (!this.places.isEmpty()) {
			store(number, tag, any(Stream.concat(this.places.stream(), this.late.stream()).toList()));
		}
	}

	private void store(long number, String tag, Place place) {
		if (this.unstored.isEmpty()) {
			this.time.after(Duration.ofMillis(this.random.nextInt(20)), () -> {
				this.unstored.forEach((where, ids) -> this.server.store(where.collection(), ids));
				this.unstored.clear();
			});
		}
		this.unstored.computeIfAbsent(place, (absent) -> new ArrayList<>())
			.add((place.form() == IdForm.NUMBER) ? new BsonInt64(number)
					: new BsonString(SEQUENCE + "/" + number + tag));
		this.checker.stored(number);
	}

	/**
	 * The application saves a document under a number that it was issued, or has chosen.
	 */
	void saved(long number, Place place) {
		store(number, "-A", place);
	}

	/**
	 * What damage does shows in who reserves and returns around it, and in which order.
	 */
	private void everybodyIsBusy() {
		for (int i = 0; i < 8; i++) {
			List<SimulatedProcess> alive = alive();
			SimulatedProcess process = alive.get(this.random.nextInt(alive.size()));
			int what = this.random.nextInt(7);
			this.time.after(Duration.ofMillis(this.random.nextInt(100)), () -> {
				if (what > 2) {
					process.take(1);
				}
				else if (what > 0) {
					process.release();
				}
				else {
					storeOwn();
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
		this.checker.mayLose(by);
		setMax(PromiseChecker.max(this.checker.counter()) + by, this.server::administer);
	}

	private static void setMax(long max, Consumer<Consumer<CounterModel>> by) {
		by.accept((counters) -> counters
			.put(new BsonDocument("_id", new BsonString(COUNTER)).append("Max", new BsonInt64(max))
				.append("Grants", new BsonArray(List.of(new BsonObjectId())))));
	}

	/**
	 * A process raises the counter, to below or above where it stands.
	 */
	private void raise(SimulatedProcess process) {
		long max = PromiseChecker.max(this.checker.counter());
		long floor = Math.max(1, max - 10 + this.random.nextInt(30));
		// What lies below, and the ranges that are dropped or can't go back any more.
		this.checker.mayLose(Math.max(0, floor - max) + 2 * this.settings.sequences().apply(SEQUENCE).maxSize());
		this.checker.mayLose(process.held() + process.underWay());
		process.raise(floor);
	}

	VirtualTime time() {
		return this.time;
	}

	/**
	 * Runs tasks at once, and those of later when the clock has come there.
	 */
	Tasks tasks() {
		return new Tasks() {

			@Override
			public void execute(Runnable task) {
				task.run();
			}

			@Override
			public Future<?> whenOver(Deadline deadline, Runnable task) {
				Simulation.this.time.after(deadline.left(), task);
				return new CompletableFuture<>();
			}

		};
	}

	/**
	 * How long a document is on its way that has a number of the application's choice: in
	 * batches mostly not long, and at most as long as what was chosen is remembered, as
	 * in a transaction.
	 */
	Duration underWay() {
		return Duration
			.ofMillis((this.batches != null && this.batches.nextInt(3) == 0) ? this.batches.nextInt(300_000) : 20);
	}

	/**
	 * Whether a number is chosen again before its document is stored.
	 */
	boolean choosesAgain() {
		return this.batches != null && this.batches.nextBoolean();
	}

	/**
	 * How many numbers are chosen at once.
	 */
	int batch() {
		return (this.batches != null) ? 1 + this.batches.nextInt(4) : 1;
	}

	HiLoSettings settings() {
		return this.settings;
	}

	List<Place> places() {
		return this.places;
	}

	PromiseChecker checker() {
		return this.checker;
	}

	/**
	 * A place that no process knows before it saves to it, if there is any.
	 */
	Optional<Place> anyLatePlace() {
		return this.late.isEmpty() ? Optional.empty() : Optional.of(any(this.late));
	}

	SimulatedClient newClient() {
		return new SimulatedClient(this.server, this.time, this.random, this.faults,
				new SimulatedGrants(++this.sources), this.checker);
	}

	CounterMutant mutant() {
		return this.mutant;
	}

	RangeStore newStore(SimulatedClient client) {
		return client.store(this.mutant);
	}

	/**
	 * What may happen.
	 */
	enum Faultiness {

		/**
		 * Nothing but processes that come and go, and documents.
		 */
		CALM(13),

		/**
		 * Crashes, elections, and a network and a server that can't be relied on.
		 */
		ROUGH(25),

		/**
		 * All that, and a counter that is restored from a backup, deleted or set by hand,
		 * with its documents or without.
		 */
		DAMAGE(28);

		/**
		 * How many of the events, which are in the order of their force.
		 */
		private final int events;

		Faultiness(int events) {
			this.events = events;
		}

	}

}

package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.counter.SimulatedClient;
import io.github.hilo.internal.engine.EngineSteps;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;

import org.springframework.test.util.ReflectionTestUtils;

/**
 * A process: the real engine and its sequences over a simulated client.
 */
final class SimulatedProcess {

	/**
	 * Five minutes, and a second in which a find need not see what is stored.
	 */
	private static final Duration REMEMBERED = Duration.ofSeconds(301);

	private final Simulation simulation;

	private final SimulatedClient client;

	private final AccountingStore store;

	private final HiLoEngine engine;

	/**
	 * The numbers that the application has chosen, and when. For five minutes they are
	 * not issued; after that a find sees their documents.
	 */
	private final Map<Long, Long> chosen = new HashMap<>();

	private boolean alive = true;

	private boolean paused;

	private long last;

	private SimulatedProcess(Simulation simulation, SimulatedClient client, AccountingStore store, HiLoEngine engine) {
		this.simulation = simulation;
		this.client = client;
		this.store = store;
		this.engine = engine;
	}

	static SimulatedProcess start(Simulation simulation) {
		SimulatedClient client = simulation.newClient();
		AccountingStore store = new AccountingStore(simulation.newStore(client), simulation, client);
		return new SimulatedProcess(simulation, client, store, new EngineSettings(simulation.settings())
			.engine(new FakeRangeStore("shop", simulation.tasks()), simulation.time(), simulation.places()));
	}

	private boolean isConsecutive() {
		return this.simulation.settings().sequences().apply(Simulation.SEQUENCE).consecutive();
	}

	boolean isAlive() {
		return this.alive;
	}

	private RangeSequence sequence() {
		return this.engine.sequence(this.store, Simulation.SEQUENCE);
	}

	/**
	 * Takes numbers; callers that get none in time give up.
	 * @return the callers, unless the process takes none any more
	 */
	List<Waiter> take(int count) {
		List<Waiter> callers = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			this.store.blockIsWaiting(1);
			Place place = this.simulation.anyPlace();
			ask(this.simulation.chance() ? new Waiter(1, place, null) : withoutPlace(1), place).ifPresent(callers::add);
		}
		return callers;
	}

	private Waiter withoutPlace(int count) {
		return Waiter.withoutPlace(count, sequence().placesToCover(), null);
	}

	private Optional<Waiter> ask(Waiter waiter, Place place) {
		PromiseChecker.Call call = this.simulation.checker().call();
		// As PlacedSequence does.
		if (waiter.takeAllFrom(sequence().placed(waiter.place()).cursor(place.form()))) {
			waiter.settle();
			waiter.complete(null);
		}
		else if (sequence().ask(waiter).answer().isCompletedExceptionally()) {
			// The engine is closed.
			return Optional.empty();
		}
		await(waiter, place, call);
		return Optional.of(waiter);
	}

	/**
	 * Saves documents to a place that it may not have known.
	 */
	void saveLate(int count) {
		this.simulation.anyLatePlace().ifPresent((place) -> saveLate(count, place));
	}

	private void saveLate(int count, Place place) {
		this.store.blockIsWaiting(count);
		sequence().register(place);
		// A generator of the application that wraps ours has no place.
		Waiter asking = this.simulation.chance() ? new Waiter(count, place, null) : withoutPlace(count);
		ask(asking, place).ifPresent((waiter) -> {
			CompletionStage<Void> unused = waiter.answer().thenAccept((served) -> {
				if (this.alive) {
					save(served, place);
				}
			});
		});
	}

	private void save(Waiter served, Place place) {
		IssuedNumber.of(served).forEach((number) -> {
			this.simulation.checker().stores(this.client, number, place);
			this.simulation.saved(number.number(), place);
		});
	}

	/**
	 * The application saves to a place, stores documents there under numbers of its own
	 * choice, some above the last, and saves again before they are there, and after.
	 */
	void choose(int ahead) {
		this.simulation.anyLatePlace().ifPresent((place) -> {
			saveLate(1, place);
			after(Duration.ofMillis(20), () -> choose(ahead, place));
			for (int i = 0; i < 4; i++) {
				after(Duration.ofMillis(60), () -> saveLate(1, place));
			}
		});
	}

	private void after(Duration delay, Runnable action) {
		this.simulation.time().after(delay, () -> {
			if (this.alive) {
				action.run();
			}
		});
	}

	private void choose(int ahead, Place place) {
		long first = sequence().current().lastTaken() + ahead;
		int count = this.simulation.batch();
		for (int i = 0; i < count; i++) {
			choose(first + (long) i * i, place);
		}
		// What is returned begins above them.
		this.simulation.checker().mayLose(ahead + (count - 1) * (count - 1));
	}

	private void choose(long number, Place place) {
		sequence().exclude(number);
		this.chosen.put(number, this.simulation.time().nanoTime());
		Duration underWay = this.simulation.underWay();
		if (this.simulation.choosesAgain()) {
			after(underWay, () -> choose(number, place));
			return;
		}
		after(underWay, () -> this.simulation.saved(number, place));
		if (underWay.toSeconds() > 0) {
			after(underWay.minusMillis(10), () -> saveLate(3, place));
		}
	}

	private boolean isChosen(long number) {
		Long nanos = this.chosen.get(number);
		return nanos != null && this.simulation.time().nanoTime() - nanos <= REMEMBERED.toNanos();
	}

	/**
	 * Takes a block of numbers, or gives up.
	 */
	void takeBlock(int count) {
		this.store.blockIsWaiting(count);
		ask(withoutPlace(count), this.simulation.anyPlace());
	}

	/**
	 * Raises the counter: no number up to the floor is issued by this process from then
	 * on.
	 */
	CompletionStage<Long> raise(long floor) {
		int damage = this.simulation.checker().damage();
		CompletionStage<Long> raise;
		try {
			raise = sequence().raise(floor, null);
		}
		catch (IllegalStateException closed) {
			return CompletableFuture.failedFuture(closed);
		}
		return raise.thenApply((max) -> {
			if (this.alive) {
				this.last = Math.max(this.last, floor);
				this.simulation.checker().windowsEnd(this.client);
				this.simulation.checker().raised(floor, damage);
			}
			return max;
		});
	}

	private void await(Waiter waiter, Place place, PromiseChecker.Call call) {
		CompletionStage<Void> unused = waiter.answer().thenAccept((served) -> {
			List<IssuedNumber> issued = IssuedNumber.of(served);
			issued.forEach((number) -> issue(number, place, call));
			ended(issued);
		});
		if (!waiter.isSettled()) {
			this.simulation.time().after(this.simulation.patience(), waiter::settle);
		}
	}

	private void ended(List<IssuedNumber> issued) {
		if (this.alive) {
			this.simulation.checker().ended(issued);
		}
	}

	private void issue(IssuedNumber issued, Place place, PromiseChecker.Call call) {
		if (this.alive) {
			if (isChosen(issued.number())) {
				this.simulation.checker().broken("Number " + issued + " was issued, which the application has chosen");
			}
			this.simulation.checker().issued(issued, this.last);
			if (isConsecutive()) {
				this.simulation.checker().issuedInOrder(issued, call);
			}
			this.last = issued.number();
			this.simulation.issued(issued.number(), place,
					() -> this.simulation.checker().stores(this.client, issued, place));
		}
	}

	void release() {
		this.simulation.checker().windowsEnd(this.client);
		this.simulation.mayLoseMiddle(held() + this.store.underWay());
		CompletableFuture<?> unused = sequence().release();
	}

	void pause(Consumer<SimulatedProcess> next) {
		this.paused = true;
		this.simulation.checker().windowsEnd(this.client);
		this.store.pause();
		this.simulation.mayLoseMiddle(held() + this.store.underWay());
		within(EngineSteps.pause(this.engine), () -> {
			// Somebody may have resumed it before it had paused.
			if (this.paused) {
				this.simulation.checker().mayLose(held());
				EngineSteps.discard(this.engine);
			}
			if (this.paused) {
				next.accept(this);
			}
		});
	}

	void resume() {
		if (this.paused) {
			this.paused = false;
			this.simulation.checker().windowsEnd(this.client);
			this.store.reset(false);
			this.simulation.checker().mayLose(held() + this.store.underWay());
			this.engine.resume();
		}
	}

	void stop() {
		this.simulation.mayLoseMiddle(held() + this.store.underWay());
		within(EngineSteps.close(this.engine), this::crash);
	}

	/**
	 * Ends without another word.
	 */
	void crash() {
		this.simulation.checker().mayLose(held() + this.store.underWay());
		this.alive = false;
		this.client.die();
	}

	long underWay() {
		return this.store.underWay();
	}

	/**
	 * How many numbers it holds in all ranges, excluded ones included.
	 */
	long held() {
		Object state = Objects.requireNonNull(ReflectionTestUtils.getField(sequence(), "state"));
		HeldRanges ranges = (HeldRanges) Objects.requireNonNull(ReflectionTestUtils.getField(state, "ranges"));
		List<?> next = (List<?>) Objects.requireNonNull(ReflectionTestUtils.getField(ranges, "next"));
		RangeCursor current = ranges.current();
		return current.range().max() - current.lastTaken()
				+ next.stream().mapToLong((held) -> ((HeldRange) held).range().size()).sum();
	}

	void heal() {
		this.client.heal();
		resume();
	}

	void cutNetwork(boolean cut) {
		this.client.cut(cut);
	}

	/**
	 * Starts a process that remembers all that this one does, with a client of its own.
	 */
	SimulatedProcess copy() {
		SimulatedClient client = this.simulation.newClient();
		if (this.simulation.copiesClients()) {
			client.continueAs(this.client);
		}
		this.simulation.mutant().copied(client, this.client);
		AccountingStore store = new AccountingStore(this.simulation.newStore(client), this.simulation, client);
		DeepCopy copier = new DeepCopy();
		copier.replace(this.store, store);
		SimulatedProcess copy = new SimulatedProcess(this.simulation, client, store, copier.of(this.engine));
		for (Waiter waiter : copier.copiesOf(Waiter.class)) {
			store.blockIsWaiting(waiter.count());
			// What the original had asked for by now is forgotten, so a call begins anew.
			Place place = waiter.place();
			copy.await(waiter, (place != null) ? place : this.simulation.anyPlace(), this.simulation.checker().call());
		}
		copy.last = this.last;
		copy.chosen.putAll(this.chosen);
		copy.paused = true;
		store.rememberLargest(this.store);
		store.reset(true);
		copyAnswer(copy);
		return copy;
	}

	/**
	 * The answer that was on its way when the copy was made may have reached its memory:
	 * the copy's thread goes on with it.
	 */
	private void copyAnswer(SimulatedProcess copy) {
		RangeSequence sequence = copy.engine.sequence(copy.store, Simulation.SEQUENCE);
		Object state = Objects.requireNonNull(ReflectionTestUtils.getField(sequence, "state"));
		CompletionStage<ReservedRange> answer = this.store.lastReservation();
		if (answer != null
				&& ReflectionTestUtils.getField(state, "operation") instanceof Operation.Reservation operation) {
			CompletionStage<Void> unused = answer.thenAccept((range) -> this.simulation.time()
				.after(Duration.ofMillis(1), () -> sequence.reserved(operation, range, null)));
		}
	}

	/**
	 * Goes on when something has ended, or taken too long.
	 */
	private void within(CompletableFuture<?> operation, Runnable next) {
		AtomicBoolean ended = new AtomicBoolean();
		Runnable once = () -> {
			if (ended.compareAndSet(false, true) && this.alive) {
				next.run();
			}
		};
		CompletableFuture<Void> unused = operation.thenRun(once);
		this.simulation.time().after(this.simulation.settings().timeout(), once);
	}

}

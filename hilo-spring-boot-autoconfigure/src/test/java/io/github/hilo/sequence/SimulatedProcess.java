package io.github.hilo.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.hilo.counter.SimulatedClient;
import io.github.hilo.counter.StoredDocuments;
import io.github.hilo.engine.EngineSteps;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.store.FreeNumbers;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import org.jspecify.annotations.Nullable;

import org.springframework.test.util.ReflectionTestUtils;

/**
 * A process: the real engine and its sequences over a simulated client.
 */
final class SimulatedProcess {

	private final Simulation simulation;

	private final SimulatedClient client;

	private final AccountingStore store;

	private final HiLoEngine engine;

	/**
	 * What was stored in a place when a number of a range was confirmed there last.
	 */
	private final Map<Place, Map<ReservedRange, StoredDocuments>> confirmed = new HashMap<>();

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
		AccountingStore store = new AccountingStore(simulation.newStore(client), simulation);
		return new SimulatedProcess(simulation, client, store, new HiLoEngine(new FakeRangeStore("shop"),
				Class::getSimpleName, simulation.settings(), simulation.time()));
	}

	private boolean isConsecutive() {
		return this.simulation.settings().sequences().apply(Simulation.SEQUENCE).consecutive();
	}

	boolean isAlive() {
		return this.alive;
	}

	/**
	 * Takes numbers; callers that get none in time give up.
	 * @return the callers, unless the process takes none any more
	 */
	List<Waiter> take(int count) {
		List<Waiter> callers = new ArrayList<>();
		RangeSequence sequence = this.engine.sequence(this.store, Simulation.SEQUENCE);
		for (int i = 0; i < count; i++) {
			PromiseChecker.Call call = this.simulation.checker().call();
			Waiter waiter;
			try {
				waiter = sequence.ask(new Waiter(1));
			}
			catch (IllegalStateException closed) {
				return callers;
			}
			await(waiter, call);
			callers.add(waiter);
		}
		return callers;
	}

	/**
	 * Saves a document to a place that it may not have known: under a number that is
	 * confirmed there, unless it is known that it is free.
	 */
	void saveLate() {
		this.simulation.anyLatePlace().ifPresent((place) -> {
			FreeNumbers known = this.store.freeNumbers(Simulation.SEQUENCE, place);
			for (Waiter waiter : take(1)) {
				CompletionStage<Void> unused = waiter.answer().thenAccept((served) -> {
					if (this.alive) {
						IssuedNumber.of(served).forEach((issued) -> save(issued, place, known));
					}
				});
			}
		});
	}

	private void save(IssuedNumber issued, Place place, FreeNumbers known) {
		String id = issued.documentId();
		if (place.text() ? known.isFree(id) : known.isFree(issued.number())) {
			this.simulation.checker().stores(issued, place, confirmed(place).get(issued.range()));
			this.simulation.saved(issued, place);
			return;
		}
		CompletionStage<Void> unused = this.store
			.confirm(Simulation.SEQUENCE, place, place.text() ? id : (Object) issued.number(),
					this.simulation.settings().timeout().multipliedBy(9).dividedBy(10), this::raise)
			.thenAccept((free) -> {
				if (this.alive && free) {
					StoredDocuments then = this.simulation.checker().storedAtConfirmation(place, issued);
					if (then != null) {
						confirmed(place).put(issued.range(), then);
					}
					this.simulation.saved(issued, place);
				}
			});
	}

	private Map<ReservedRange, StoredDocuments> confirmed(Place place) {
		return this.confirmed.computeIfAbsent(place, (absent) -> new IdentityHashMap<>());
	}

	/**
	 * Takes a block of numbers, or gives up.
	 */
	void takeBlock(int count) {
		this.store.blockIsWaiting(count);
		PromiseChecker.Call call = this.simulation.checker().call();
		try {
			await(this.engine.sequence(this.store, Simulation.SEQUENCE).ask(new Waiter(count)), call);
		}
		catch (IllegalStateException closed) {
			// It takes none any more.
		}
	}

	/**
	 * Raises the counter: no number up to the floor is issued by this process from then
	 * on.
	 */
	CompletionStage<Long> raise(long floor) {
		int damage = this.simulation.checker().damage();
		CompletionStage<Long> raise;
		try {
			raise = this.engine.sequence(this.store, Simulation.SEQUENCE).raise(floor);
		}
		catch (IllegalStateException closed) {
			return CompletableFuture.failedFuture(closed);
		}
		return raise.thenApply((max) -> {
			if (this.alive) {
				this.last = Math.max(this.last, floor);
				this.simulation.checker().raised(floor, damage);
			}
			return max;
		});
	}

	private void await(Waiter waiter, PromiseChecker.Call call) {
		CompletionStage<Void> unused = waiter.answer().thenAccept((served) -> {
			List<IssuedNumber> issued = IssuedNumber.of(served);
			issued.forEach((number) -> issue(number, call));
			ended(issued);
		});
		if (!waiter.isSettled()) {
			if (waiter.block().isSeveral()) {
				// Until it has all that it needs, it may lose what it has.
				this.simulation.checker().mayLose(waiter.block().count());
			}
			this.simulation.time().after(this.simulation.patience(), waiter::settle);
		}
	}

	private void ended(List<IssuedNumber> issued) {
		if (this.alive) {
			this.simulation.checker().ended(issued);
		}
	}

	private void issue(IssuedNumber issued, PromiseChecker.Call call) {
		if (this.alive) {
			this.simulation.checker().issued(issued, this.last);
			if (isConsecutive()) {
				this.simulation.checker().issuedInOrder(issued, call);
			}
			this.last = issued.number();
			this.simulation.issued(issued.number());
		}
	}

	void release() {
		this.simulation.mayLoseMiddle();
		CompletableFuture<?> unused = this.engine.sequence(this.store, Simulation.SEQUENCE).release();
	}

	void pause(Consumer<SimulatedProcess> next) {
		this.paused = true;
		this.store.pause();
		this.simulation.mayLoseMiddle();
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
			this.store.reset(false);
			this.simulation.checker().mayLose(held() + this.store.underWay());
			this.engine.resume();
		}
	}

	void stop() {
		this.simulation.mayLoseMiddle();
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

	private long held() {
		SequenceSnapshot snapshot = this.engine.sequence(this.store, Simulation.SEQUENCE).snapshot();
		return remaining(snapshot.range()) + remaining(snapshot.next());
	}

	private static long remaining(SequenceSnapshot.@Nullable Range range) {
		return (range != null) ? range.remaining() : 0;
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
		client.remember(Simulation.SEQUENCE, this.client);
		if (this.simulation.copiesClients()) {
			client.continueAs(this.client);
		}
		this.simulation.mutant().copied(client, this.client);
		AccountingStore store = new AccountingStore(this.simulation.newStore(client), this.simulation);
		DeepCopy copier = new DeepCopy();
		copier.replace(this.store, store);
		SimulatedProcess copy = new SimulatedProcess(this.simulation, client, store, copier.of(this.engine));
		for (Waiter waiter : copier.copiesOf(Waiter.class)) {
			if (waiter.block().isSeveral()) {
				store.blockIsWaiting(waiter.block().count());
			}
			// What the original had asked for by now is forgotten, so a call begins anew.
			copy.await(waiter, this.simulation.checker().call());
		}
		copy.last = this.last;
		copy.paused = true;
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

package io.github.hilo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.hilo.mongodb.SimulatedClient;
import org.jspecify.annotations.Nullable;

/**
 * A process: the real registry and its sequences over a simulated client.
 */
final class SimulatedProcess {

	private final Simulation simulation;

	private final SimulatedClient client;

	private final AccountingStore store;

	private final SequenceRegistry registry;

	private boolean alive = true;

	private boolean paused;

	private long last;

	private SimulatedProcess(Simulation simulation, SimulatedClient client, AccountingStore store,
			SequenceRegistry registry) {
		this.simulation = simulation;
		this.client = client;
		this.store = store;
		this.registry = registry;
	}

	static SimulatedProcess start(Simulation simulation) {
		SimulatedClient client = simulation.newClient();
		return new SimulatedProcess(simulation, client,
				new AccountingStore(simulation.newStore(client), simulation.judge()),
				new SequenceRegistry(simulation.settings(), simulation.time()));
	}

	boolean isAlive() {
		return this.alive;
	}

	/**
	 * Takes numbers; callers that get none in time give up.
	 */
	void take(int count) {
		RangeSequence sequence = this.registry.sequence(this.store, Simulation.SEQUENCE);
		for (int i = 0; i < count; i++) {
			PendingNumber place;
			try {
				place = sequence.take(null);
			}
			catch (IllegalStateException closed) {
				return;
			}
			await(place);
		}
	}

	private void await(PendingNumber place) {
		CompletionStage<Void> unused = place.answer().thenAccept(this::issue);
		if (!place.isSettled()) {
			this.simulation.time().after(this.simulation.settings().timeout(), place::settle);
		}
	}

	private void issue(@Nullable Issued issued) {
		if (this.alive && issued != null) {
			this.simulation.judge().issued(issued, this.last);
			this.last = issued.number();
		}
	}

	void release() {
		this.simulation.mayLoseMiddle();
		CompletableFuture<?> unused = this.registry.releasing();
	}

	void pause(Consumer<SimulatedProcess> next) {
		this.paused = true;
		this.simulation.mayLoseMiddle();
		within(this.registry.pausing(), () -> {
			// Somebody may have resumed it before it had paused.
			if (this.paused) {
				this.simulation.judge().mayLose(held());
				this.registry.abandon();
				next.accept(this);
			}
		});
	}

	void resume() {
		this.paused = false;
		this.simulation.judge().mayLose(held() + this.store.underWay());
		this.registry.resume();
	}

	void stop() {
		this.simulation.mayLoseMiddle();
		within(this.registry.closing(), this::crash);
	}

	/**
	 * Ends without another word.
	 */
	void crash() {
		this.simulation.judge().mayLose(held() + this.store.underWay());
		this.alive = false;
		this.client.die();
	}

	private long held() {
		SequenceSnapshot snapshot = this.registry.sequence(this.store, Simulation.SEQUENCE).snapshot();
		return remaining(snapshot.range()) + remaining(snapshot.next());
	}

	private static long remaining(SequenceSnapshot.@Nullable Range range) {
		return (range != null) ? range.remaining() : 0;
	}

	void cutNetwork(boolean cut) {
		this.client.cut(cut);
	}

	/**
	 * Starts a process that remembers all that this one does, with a client of its own.
	 */
	SimulatedProcess copy() {
		SimulatedClient client = this.simulation.newClient();
		AccountingStore store = new AccountingStore(this.simulation.newStore(client), this.simulation.judge());
		List<PendingNumber> callers = new ArrayList<>();
		SimulatedProcess copy = new SimulatedProcess(this.simulation, client, store,
				ProcessCopy.of(this.registry, this.store, store, callers::add));
		callers.forEach(copy::await);
		copy.last = this.last;
		copy.paused = true;
		return copy;
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

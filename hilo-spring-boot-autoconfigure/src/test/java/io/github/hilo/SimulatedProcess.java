package io.github.hilo;

import java.time.Duration;
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

	private final RangeStore store;

	private final SequenceRegistry registry;

	private boolean alive = true;

	private long last;

	private SimulatedProcess(Simulation simulation, SimulatedClient client, RangeStore store,
			SequenceRegistry registry) {
		this.simulation = simulation;
		this.client = client;
		this.store = store;
		this.registry = registry;
	}

	static SimulatedProcess start(Simulation simulation) {
		SimulatedClient client = simulation.newClient();
		return new SimulatedProcess(simulation, client, simulation.newStore(client),
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
			CompletionStage<Void> unused = place.answer().thenAccept(this::issue);
			if (!place.isSettled()) {
				this.simulation.time().after(this.simulation.settings().timeout(), place::settle);
			}
		}
	}

	private void issue(@Nullable Issued issued) {
		if (this.alive && issued != null) {
			this.simulation.judge().issued(issued, this.last);
			this.last = issued.number();
		}
	}

	void release() {
		CompletableFuture<?> unused = this.registry.releasing();
	}

	void pause(Consumer<SimulatedProcess> paused) {
		within(this.registry.pausing(), () -> {
			this.registry.abandon();
			paused.accept(this);
		});
	}

	void resume() {
		this.registry.resume();
	}

	void stop() {
		within(this.registry.closing(), this::crash);
	}

	/**
	 * Ends without another word.
	 */
	void crash() {
		this.alive = false;
		this.client.die();
	}

	void cutNetwork(boolean cut) {
		this.client.cut(cut);
	}

	/**
	 * Starts a process that remembers all that this one does, with a client of its own.
	 */
	SimulatedProcess copy() {
		SimulatedClient client = this.simulation.newClient();
		RangeStore store = this.simulation.newStore(client);
		SimulatedProcess copy = new SimulatedProcess(this.simulation, client, store,
				ProcessCopy.of(this.registry, this.store, store));
		copy.last = this.last;
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

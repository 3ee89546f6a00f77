package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.internal.counter.SimulatedClient;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * Keeps account of one process's requests, so that every number that is lost can be
 * explained.
 */
final class AccountingStore implements RangeStore {

	private final SimulatedClient owner;

	private final RangeStore store;

	private final Simulation simulation;

	private final PromiseChecker checker;

	private final HiLoSettings.SequenceSettings sizes;

	private long underWay;

	private long blocks;

	/**
	 * The request that is under way, or 0.
	 */
	private int underWayNow;

	private int requests;

	private long beganNanos;

	private boolean reserving;

	private boolean uncertain;

	// Twice the largest range: so large is the next one if nothing of it is left.
	private long twice;

	private boolean paused;

	private @Nullable CompletionStage<ReservedRange> lastReservation;

	AccountingStore(RangeStore store, Simulation simulation, SimulatedClient owner) {
		this.owner = owner;
		this.store = store;
		this.simulation = simulation;
		this.checker = simulation.checker();
		this.sizes = simulation.settings().sequences().apply(Simulation.SEQUENCE);
	}

	/**
	 * From now on single numbers are asked for, if not always.
	 */
	void pause() {
		this.paused = true;
	}

	/**
	 * What is in flight doesn't count any more.
	 * @param paused whether single numbers are asked for
	 */
	void reset(boolean paused) {
		this.paused = paused;
		this.underWayNow = 0;
	}

	/**
	 * From now on a block may be asked for as well.
	 */
	void blockIsWaiting(int count) {
		this.blocks += count;
	}

	void rememberLargest(AccountingStore original) {
		this.twice = original.twice;
	}

	private long largest() {
		if (this.paused || this.sizes.consecutive()) {
			return Math.max(1, this.blocks);
		}
		return Math.max(this.blocks, this.uncertain ? this.sizes.initialSize() : this.sizes.maxSize());
	}

	private int begin() {
		if (this.underWayNow > 0 && !isOver()) {
			this.checker.broken("Two requests of one sequence are under way");
		}
		if (this.underWayNow > 0 && this.reserving) {
			// The process has given the reservation up.
			this.checker.windowsEnd(this.owner);
		}
		this.beganNanos = this.simulation.time().nanoTime();
		this.underWayNow = ++this.requests;
		return this.underWayNow;
	}

	/**
	 * Whether the last request has outlived its time, so that its answer is discarded.
	 */
	private boolean isOver() {
		return this.simulation.time().nanoTime() - this.beganNanos >= this.simulation.settings().timeout().toNanos();
	}

	/**
	 * A request ended.
	 * @return whether its answer is discarded
	 */
	private boolean end(int request, boolean uncertain) {
		boolean late = request != this.underWayNow || isOver();
		if (request == this.underWayNow) {
			this.underWayNow = 0;
			this.uncertain = uncertain || late;
		}
		return late;
	}

	/**
	 * How many numbers are being requested or returned.
	 */
	long underWay() {
		return this.underWay;
	}

	/**
	 * The answer of the last reservation, which may be under way.
	 */
	@Nullable CompletionStage<ReservedRange> lastReservation() {
		return this.lastReservation;
	}

	@Override
	public String database() {
		return this.store.database();
	}

	@Override
	public String counterId(String sequence) {
		return this.store.counterId(sequence);
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
			Consumer<CounterRepair> repaired) {
		if (request.size() > Math.max(largest(),
				(this.twice > 0) ? Math.max(this.twice, this.sizes.initialSize()) : 0)) {
			this.checker.broken("A reservation asked for " + request.size() + " numbers");
		}
		this.underWay += request.size();
		int number = begin();
		this.reserving = true;
		if (this.simulation.losesOperation()) {
			this.underWay -= request.size();
			return new CompletableFuture<>();
		}
		CompletionStage<ReservedRange> answer = this.store.reserve(sequence, request, repaired)
			.whenComplete((range, failure) -> {
				this.underWay -= request.size();
				boolean late = end(number, failure != null);
				if ((failure != null || this.checker.isRepaired(range)) && !late) {
					this.checker.windowsEnd(this.owner);
				}
				if (failure != null || late) {
					this.checker.mayLose(request.size());
				}
				if (range != null) {
					this.twice = Math.max(this.twice, 2 * range.size());
				}
			});
		this.lastReservation = answer;
		return answer;
	}

	@Override
	public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
		return this.simulation.losesOperation() ? new CompletableFuture<>()
				: this.store.raise(sequence, floor, timeout);
	}

	@Override
	public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return later(this.store.stored(sequence, place, numbers, deadline));
	}

	@Override
	public CompletionStage<Long> lowestStored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return later(this.store.lowestStored(sequence, place, numbers, deadline));
	}

	/**
	 * Never at once, even if no place is known, because no server would.
	 */
	private CompletionStage<Long> later(CompletionStage<Long> find) {
		return find.thenCompose((stored) -> {
			CompletableFuture<Long> answer = new CompletableFuture<>();
			this.simulation.time().after(Duration.ofMillis(1), () -> answer.complete(stored));
			return answer;
		});
	}

	@Override
	public CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
		this.underWay += unused.count();
		int number = begin();
		this.reserving = false;
		if (this.simulation.losesOperation()) {
			this.underWay -= unused.count();
			this.checker.mayLose(unused.count());
			return new CompletableFuture<>();
		}
		return this.store.returnUnused(sequence, unused).whenComplete((returned, failure) -> {
			this.underWay -= unused.count();
			end(number, this.uncertain);
			if (!Boolean.TRUE.equals(returned)) {
				this.checker.mayLose(unused.count());
			}
		});
	}

}

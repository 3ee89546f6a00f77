package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.Askers;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.sequence.Waiter;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.Tasks;

/**
 * How a sequence that is new comes up to speed where the server is some way off, on a
 * clock of our own: what the machine does besides can't show.
 */
final class RampTables implements BenchmarkMain.Harness {

	private static final Askers ASKERS = new Askers(Runnable::run);

	private static final int UNLIMITED = Integer.MAX_VALUE;

	private static final Duration ROUND_TRIP = Duration.ofMillis(40);

	private static final Duration LENGTH = Duration.ofSeconds(2);

	@Override
	public void run(Effort effort, Report report) {
		report.heading("A new sequence, round trips of " + ROUND_TRIP.toMillis() + " ms");
		List<List<String>> rows = new ArrayList<>();
		for (int rate : new int[] { 1000, 10_000, 100_000 }) {
			for (int callers : new int[] { 16, UNLIMITED }) {
				for (int growth : new int[] { 2, 4, 16 }) {
					rows.add(row(rate, callers, growth));
				}
			}
		}
		report.table(List.of("ids/s", "callers", "max-growth", "stalls", "last at", "longest wait, ms", "p99.99, ms",
				"reservations in " + LENGTH.toSeconds() + " s", "lost if killed after a burst of 100 ms",
				"lost if killed then"), rows);
		report.say("Callers ask in an open loop; those that wait hold up the ones behind them if their number is"
				+ " limited. Stalls: waits for the server, of any number of callers.");
	}

	private static List<String> row(int rate, int callers, int growth) {
		Ramp ramp = new Ramp(rate, callers, growth);
		ramp.run(LENGTH.toNanos());
		Ramp burst = new Ramp(rate, callers, growth);
		burst.run(TimeUnit.MILLISECONDS.toNanos(100));
		burst.drain();
		return List.of(Report.count(rate), (callers == UNLIMITED) ? "any number" : Report.count(callers),
				String.valueOf(growth), String.valueOf(ramp.stalls), millis(ramp.lastStallNanos),
				millis(ramp.percentile(1)), millis(ramp.percentile(0.9999)), String.valueOf(ramp.store.reservations),
				Report.count(burst.store.max - burst.issued), Report.count(ramp.store.max - ramp.issued));
	}

	private static String millis(long nanos) {
		return Report.number(nanos / 1e6);
	}

	/**
	 * One run.
	 */
	private static final class Ramp {

		private final VirtualClock clock = new VirtualClock();

		private final DistantStore store = new DistantStore(this.clock);

		private final long intervalNanos;

		private final int callers;

		private final PlacedSequence sequence;

		private final Deadline deadline;

		private final Queue<Long> due = new ArrayDeque<>();

		private final List<Long> latencies = new ArrayList<>();

		private int waiting;

		private long issued;

		private int stalls;

		private long lastStallNanos;

		Ramp(int rate, int callers, int growth) {
			this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / rate;
			this.callers = callers;
			HiLoEngine engine = new HiLoEngine(this.store, Class::getSimpleName,
					Settings.of(Duration.ofHours(1), growth, true), this.clock, (event) -> {
					});
			this.sequence = engine.sequence(this.store, "orders").placed(null);
			this.deadline = engine.deadline();
		}

		void run(long lengthNanos) {
			for (long at = 0; at < lengthNanos; at += this.intervalNanos) {
				answerUntil(at);
				this.clock.moveTo(at);
				this.due.add(at);
				ask();
			}
		}

		/**
		 * Lets everybody have an id who asked for one.
		 */
		void drain() {
			while (this.waiting > 0) {
				answerUntil(this.store.nextAnswerNanos());
			}
		}

		private void answerUntil(long nanos) {
			while (this.store.nextAnswerNanos() <= nanos) {
				this.clock.moveTo(this.store.nextAnswerNanos());
				long before = this.issued;
				int waited = this.waiting;
				this.store.answer();
				if (waited > 0 && this.issued > before) {
					this.stalls++;
					this.lastStallNanos = this.clock.nanoTime();
				}
			}
		}

		private void ask() {
			while (!this.due.isEmpty() && this.waiting < this.callers) {
				long dueNanos = this.due.remove();
				CompletableFuture<Waiter> call = this.sequence.request(1, IdForm.NUMBER, this.deadline, this.store,
						ASKERS);
				if (call.isDone()) {
					issued(dueNanos);
				}
				else {
					this.waiting++;
					CompletableFuture<?> unused = call.thenAccept((served) -> {
						this.waiting--;
						issued(dueNanos);
						ask();
					});
				}
			}
		}

		private void issued(long dueNanos) {
			this.issued++;
			this.latencies.add(this.clock.nanoTime() - dueNanos);
		}

		long percentile(double part) {
			long[] sorted = this.latencies.stream().mapToLong(Long::longValue).sorted().toArray();
			return sorted[(int) Math.min(sorted.length - 1, Math.round(part * sorted.length))];
		}

	}

	/**
	 * Answers a round trip later.
	 */
	private static final class DistantStore implements RangeStore, RangeStores {

		private final VirtualClock clock;

		private final PriorityQueue<Answer> answers = new PriorityQueue<>();

		private long max;

		private int reservations;

		DistantStore(VirtualClock clock) {
			this.clock = clock;
		}

		long nextAnswerNanos() {
			Answer next = this.answers.peek();
			return (next != null) ? next.atNanos() : Long.MAX_VALUE;
		}

		void answer() {
			this.answers.remove().task().run();
		}

		@Override
		public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
				Consumer<CounterRepair> repaired) {
			this.reservations++;
			long min = this.max + 1;
			this.max += request.size();
			return later(new ReservedRange(min, this.max, "", List.of()));
		}

		private <T> CompletionStage<T> later(T result) {
			CompletableFuture<T> answer = new CompletableFuture<>();
			this.answers.add(new Answer(this.clock.nanoTime() + ROUND_TRIP.toNanos(), () -> answer.complete(result)));
			return answer;
		}

		@Override
		public CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
			return CompletableFuture.completedFuture(false);
		}

		@Override
		public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
			throw new UnsupportedOperationException();
		}

		@Override
		public String database() {
			return "benchmark";
		}

		@Override
		public String counterId(String sequence) {
			return sequence;
		}

		@Override
		public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
			return later(0L);
		}

		@Override
		public CompletionStage<Long> lowestStored(String sequence, Place place, ReservedRange numbers,
				Deadline deadline) {
			return later(0L);
		}

		@Override
		public RangeStore current(Deadline deadline) {
			return this;
		}

		@Override
		public boolean isCurrentFixed() {
			return true;
		}

		@Override
		public RangeStore named(String database, Deadline deadline) {
			return this;
		}

		@Override
		public Tasks tasks() {
			return new DirectTasks();
		}

		@Override
		public void close() {
		}

		private record Answer(long atNanos, Runnable task) implements Comparable<Answer> {

			@Override
			public int compareTo(Answer other) {
				return Long.compare(this.atNanos, other.atNanos);
			}

		}

	}

}

package io.github.hilo.internal.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.sequence.Askers;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.sequence.ReservationFailure;
import io.github.hilo.internal.sequence.Waiter;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Makes calls for reactive callers. Code of subscribers runs on the subscriber's thread
 * if the number is at hand, otherwise on threads of the library, which are used for
 * nothing else. When a call's limit is over, its subscriber learns of it on a thread for
 * tasks, because an application can keep all threads of Reactor's schedulers busy.
 * Thread-safe: all fields are final.
 */
public final class ReactiveCalls implements AutoCloseable {

	private final HiLoEngine engine;

	// A pool of this kind, because BlockHound knows that its threads wait for tasks. They
	// share one queue, so that a subscriber that takes long delays no other
	// thread's answers while a thread is idle.
	private final ScheduledThreadPoolExecutor publishers = new ScheduledThreadPoolExecutor(Schedulers.DEFAULT_POOL_SIZE,
			AnswerThread::new);

	private final Scheduler scheduler = Schedulers.fromExecutor(this::publish);

	private final Askers askers = new Askers(this::publish);

	public ReactiveCalls(HiLoEngine engine) {
		this.engine = engine;
	}

	public HiLoEngine engine() {
		return this.engine;
	}

	/**
	 * Makes a call, or a save, that ends within its limit. The limit begins with the
	 * subscription.
	 */
	public <T> Mono<T> within(Supplier<String> sequence, Function<Deadline, Mono<T>> call) {
		return Mono.deferContextual((context) -> {
			Deadline deadline = this.engine.deadline();
			CompletableFuture<T> made = call.apply(deadline).contextWrite(context).toFuture();
			Mono<T> answer = Mono.fromFuture(made);
			return made.isDone() ? answer
					: answer.timeout(endOf(deadline), Mono.error(() -> overdue(sequence, deadline)));
		});
	}

	private Mono<?> endOf(Deadline deadline) {
		return Mono.create((end) -> {
			Future<?> due = this.engine.tasks().whenOver(deadline, end::success);
			end.onDispose(() -> cancel(due));
		});
	}

	/**
	 * Takes the lock of the timer's queue for an instant, as scheduling does.
	 */
	private static void cancel(Future<?> due) {
		due.cancel(false);
	}

	private static HiLoUnavailableException overdue(Supplier<String> sequence, Deadline deadline) {
		String database = deadline.database().isEmpty() ? "" : " of database " + Names.quoted(deadline.database());
		return new HiLoUnavailableException("No range for sequence " + Names.quoted(sequence.get()) + database + ": "
				+ ReservationFailure.overdue(deadline), new TimeoutException());
	}

	/**
	 * Takes numbers with each subscription.
	 * @param place where ids of the place's form go, or {@code null} if that is not known
	 * @param form what the ids will be
	 */
	public Mono<Waiter> take(RangeStore store, String sequence, @Nullable Place place, int count, IdForm form,
			Deadline deadline) {
		return make(store, sequence, place, deadline,
				(placed) -> placed.request(count, form, deadline, store, this.askers));
	}

	Mono<Long> raise(RangeStore store, String sequence, long floor, Deadline deadline) {
		return make(store, sequence, null, deadline, (placed) -> placed.requestRaise(floor, deadline, store))
			.publishOn(this.scheduler);
	}

	private <T> Mono<T> make(RangeStore store, String sequence, @Nullable Place place, Deadline deadline,
			Function<PlacedSequence, CompletableFuture<T>> call) {
		PlacedSequence placed = this.engine.sequence(store, sequence).placed(place);
		deadline.resolved(store.database());
		return Mono
			.defer(() -> Mono.fromFuture(call.apply(placed)).onErrorMap(Exception.class, ReservationFailure::copyOf));
	}

	Mono<Void> release(@Nullable String database) {
		return Mono.fromFuture(() -> this.engine.releaseAsync(database)).publishOn(this.scheduler);
	}

	/**
	 * Ends a publisher within the time of a call, without a failure.
	 */
	Mono<Void> endInTime(Mono<Void> released) {
		return Mono.defer(() -> released.timeout(endOf(this.engine.deadline()), Mono.empty()));
	}

	private void publish(Runnable answers) {
		try {
			this.publishers.execute(answers);
		}
		catch (RejectedExecutionException closed) {
			this.engine.tasks().execute(answers);
		}
	}

	/**
	 * Ends the threads that publish, once they have published what was answered.
	 */
	@Override
	public void close() {
		this.publishers.shutdown();
	}

	/**
	 * A thread on which Reactor refuses to block. It inherits nothing from the thread
	 * that starts it.
	 */
	private static final class AnswerThread extends Thread implements NonBlocking {

		private static final AtomicInteger NUMBER = new AtomicInteger();

		AnswerThread(Runnable task) {
			super(null, task, "hilo-answers-" + NUMBER.incrementAndGet(), 0, false);
			setDaemon(true);
		}

	}

}

package io.github.hilo.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Sends a sequence's operations to its store, and tells its listener.
 * <p>
 * Thread-safe: the store is volatile, and {@link SequenceEvents} is thread-safe.
 */
final class OperationSender {

	private final String sequence;

	private final TimeSource time;

	/**
	 * The database, as the last caller that asked for something resolved it. Any caller's
	 * will do: whatever answers to one name is the same database.
	 */
	private volatile RangeStore store;

	private final SequenceEvents events = new SequenceEvents();

	OperationSender(String sequence, RangeStore store, TimeSource time) {
		this.sequence = sequence;
		this.time = time;
		this.store = store;
	}

	void store(RangeStore store) {
		this.store = store;
	}

	RangeStore store() {
		return this.store;
	}

	SequenceEvents events() {
		return this.events;
	}

	/**
	 * Sends an operation.
	 * @param ended is told of the answer, or of why it failed
	 */
	<T> void send(Operation<T> operation, BiConsumer<@Nullable T, @Nullable RuntimeException> ended) {
		RangeStore store = this.store;
		// Announced later, it would be observed for too short a time and on another
		// thread.
		Consumer<@Nullable Throwable> announced = operation.announce(this.events.now());
		long startNanos = this.time.nanoTime();
		answerOf(() -> operation.send(store, this.sequence)).whenComplete((answer, failure) -> {
			RuntimeException reason = (answer == null) ? reasonOf(operation, failure) : null;
			Duration time = Duration.ofNanos(this.time.nanoTime() - startNanos);
			announced.accept(reason);
			this.events.tell((listener) -> operation.report(listener, answer, reason, time));
			ended.accept(answer, reason);
		});
	}

	private RuntimeException reasonOf(Operation<?> operation, @Nullable Throwable failure) {
		try {
			return operation.translate(this.sequence, this.store.database(), failure);
		}
		// A failure that cannot be described must end the operation, too.
		catch (RuntimeException ex) {
			return unavailable("a failure that cannot be described", ex);
		}
	}

	/**
	 * Describes that an operation has outlived its time.
	 */
	RuntimeException late(Operation<?> operation, Duration timeout) {
		return operation.late(this.sequence, this.store.database(), timeout);
	}

	private static <T> CompletionStage<T> answerOf(Supplier<CompletionStage<T>> request) {
		try {
			return Objects.requireNonNull(request.get(), "The store answered null");
		}
		// An error too, such as that no thread could be created, must end the operation.
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * A caller had to wait, and got its number or gave up.
	 */
	void waited(Waiter waiter, long nowNanos) {
		if (waiter.isTaking() && waiter.isWaiting()) {
			Duration time = Duration.ofNanos(nowNanos - waiter.waitingSinceNanos());
			this.events.tell((listener) -> listener.waited(time));
		}
	}

	/**
	 * Numbers could not be returned.
	 */
	void lost(Effects.Loss loss) {
		this.events.tell((listener) -> listener.lost(loss.numbers(), loss.why()));
	}

	HiLoUnavailableException unavailable(String why, Exception cause) {
		return ReservationFailure.unavailable(this.sequence, this.store.database(), why, cause);
	}

}

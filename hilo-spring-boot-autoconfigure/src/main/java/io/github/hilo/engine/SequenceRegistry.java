package io.github.hilo.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of every database that was asked for, and the life that they share.
 * <p>
 * How it is safe: sequences are in concurrent maps before anybody can use them. The mode
 * is written before the sequences are visited, and a sequence reads it under its lock:
 * one that is visited knows the new mode, and one that was created too late to be visited
 * reads it before it reserves anything. One that is removed was forgotten before, and
 * holds nothing from then on. The listener hears of a sequence that takes the place of
 * one only after the end of that one.
 */
final class SequenceRegistry {

	private final HiLoSettings settings;

	private final TimeSource time;

	private final EngineListener listener;

	private final Map<String, Map<String, RangeSequence>> databases = new ConcurrentHashMap<>();

	private final SequenceCount count = new SequenceCount();

	private final AtomicReference<EngineMode> mode = new AtomicReference<>(EngineMode.RUNNING);

	/**
	 * Whether a shutdown has already waited as long as it may.
	 */
	private volatile boolean shutdownTimedOut;

	SequenceRegistry(HiLoSettings settings, TimeSource time, EngineListener listener) {
		this.settings = settings;
		this.time = time;
		this.listener = listener;
	}

	/**
	 * Copies the sequences of one database, as a snapshot of this process does.
	 * @param store the copy's store of that database
	 * @param waiters takes the copy of each caller that waits
	 */
	SequenceRegistry copy(RangeStore store, Consumer<Waiter> waiters) {
		SequenceRegistry copy = new SequenceRegistry(this.settings, this.time, this.listener);
		copy.mode.set(this.mode.get());
		copy.shutdownTimedOut = this.shutdownTimedOut;
		Map<String, RangeSequence> sequences = new ConcurrentHashMap<>();
		this.databases.getOrDefault(store.database(), Map.of())
			.forEach((name, sequence) -> sequences.put(name,
					sequence.copy(store, copy.mode, (copied) -> copy.sequence(copied, name), waiters)));
		copy.databases.put(store.database(), sequences);
		return copy;
	}

	RangeSequence sequence(RangeStore store, String name) {
		Map<String, RangeSequence> sequences = this.databases.get(store.database());
		RangeSequence sequence = (sequences != null) ? sequences.get(name) : null;
		return (sequence != null && !sequence.isForgotten()) ? sequence : create(store, name);
	}

	Map<String, RangeSequence> sequencesOf(String database) {
		return this.databases.computeIfAbsent(database, (absent) -> new ConcurrentHashMap<>());
	}

	private RangeSequence create(RangeStore store, String name) {
		StackReserve.require();
		requireName(store, name);
		Map<String, RangeSequence> sequences = sequencesOf(store.database());
		RangeSequence created = new RangeSequence(name, store, this.settings, this.time, this.mode,
				(again) -> sequence(again, name));
		while (true) {
			RangeSequence existing = sequences.putIfAbsent(name, created);
			if (existing == null) {
				announce(created, store.database());
				return created;
			}
			if (!existing.isForgotten()) {
				return existing;
			}
			if (sequences.replace(name, existing, created)) {
				CompletableFuture<?> unused = existing.gone().thenRun(() -> announce(created, store.database()));
				return created;
			}
		}
	}

	private void announce(RangeSequence created, String database) {
		String name = created.name();
		created.listener(this.listener.created(database, name, created));
		this.count.created(database, name);
	}

	/**
	 * Forgets the sequences of one name with which nothing would be lost.
	 * @param database the sequences' database, or {@code null} for every one
	 */
	void forget(@Nullable String database, String name) {
		this.databases.forEach((known, sequences) -> {
			RangeSequence sequence = sequences.get(name);
			if ((database == null || database.equals(known)) && sequence != null && sequence.forget()) {
				this.count.forgotten();
				sequences.remove(name, sequence);
			}
		});
	}

	/**
	 * Pauses and waits until nothing is held any more.
	 * @return whether what was held was returned in time
	 */
	boolean pause() {
		boolean released = await(pausing());
		this.shutdownTimedOut = !released;
		return released;
	}

	CompletableFuture<@Nullable Void> pausing() {
		this.mode.compareAndSet(EngineMode.RUNNING, EngineMode.PAUSED);
		return releasing();
	}

	void resume() {
		if (this.mode.get() == EngineMode.PAUSED) {
			sequences().forEach(RangeSequence::reset);
			this.shutdownTimedOut = false;
			// Fails where it was closed meanwhile.
			this.mode.compareAndSet(EngineMode.PAUSED, EngineMode.RUNNING);
			sequences().forEach(RangeSequence::proceed);
		}
	}

	boolean close() {
		return await(closing());
	}

	/**
	 * Checks the name of a sequence, and that ids can still be issued.
	 */
	void requireUsable(RangeStore store, String name) {
		requireName(store, name);
		if (this.mode.get() == EngineMode.CLOSED) {
			throw ReservationFailure.closed(name);
		}
	}

	private static void requireName(RangeStore store, String name) {
		Names.requireCounterId(name, store.document(Names.requireSequence(name)));
	}

	CompletableFuture<@Nullable Void> closing() {
		this.mode.set(EngineMode.CLOSED);
		return releasing();
	}

	boolean release() {
		return await(releasing());
	}

	CompletableFuture<@Nullable Void> releasing() {
		return releasing(sequences());
	}

	/**
	 * Releases the sequences of one database, or of one name, or one sequence.
	 * @param database the database, or {@code null} for every one
	 * @param name the sequences' name, or {@code null} for every one
	 * @return whether what was held was returned in time
	 */
	boolean release(@Nullable String database, @Nullable String name) {
		return await(releasing(sequences(database, name)));
	}

	private List<RangeSequence> sequences(@Nullable String database, @Nullable String name) {
		return this.databases.entrySet()
			.stream()
			.filter((sequences) -> database == null || database.equals(sequences.getKey()))
			.flatMap((sequences) -> sequences.getValue().entrySet().stream())
			.filter((sequence) -> name == null || name.equals(sequence.getKey()))
			.map(Map.Entry::getValue)
			.toList();
	}

	/**
	 * Returns what is unissued of the sequences of one name, without waiting for it.
	 * @param database the sequences' database, or {@code null} for every one
	 * @param places how many places a range must cover to be kept
	 * @param executor may wait for a lock
	 * @return what ends once no other range is held, or fails if that takes too long
	 */
	CompletableFuture<@Nullable Void> releasing(@Nullable String database, String name, int places, Executor executor) {
		Duration timeout = this.settings.timeout();
		return CompletableFuture.completedFuture(name)
			.thenComposeAsync((own) -> releasing(sequences(database, own), places), executor)
			.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionallyCompose(
					(failure) -> CompletableFuture.failedFuture(
							(failure instanceof TimeoutException)
									? new HiLoUnavailableException("Sequence " + Names.quoted(name)
											+ " could not return its ranges within " + Timeouts.named(timeout))
									: failure));
	}

	/**
	 * Returns what is unissued without waiting for it.
	 * @param database the only database whose ranges are returned, or {@code null} for
	 * all
	 * @return what ends with the returns, or once a release may take no longer
	 */
	CompletableFuture<@Nullable Void> releasingInTime(@Nullable String database) {
		CompletableFuture<@Nullable Void> released = (database == null) ? releasing()
				: releasing(this.databases.getOrDefault(database, Map.of()).values());
		return released.orTimeout(this.settings.timeout().toNanos(), TimeUnit.NANOSECONDS).exceptionally((timeout) -> {
			discard();
			return null;
		});
	}

	HiLoSettings settings() {
		return this.settings;
	}

	private CompletableFuture<@Nullable Void> releasing(Collection<RangeSequence> sequences) {
		return releasing(sequences, Integer.MAX_VALUE);
	}

	private static CompletableFuture<@Nullable Void> releasing(Collection<RangeSequence> sequences, int places) {
		return CompletableFuture
			.allOf(sequences.stream().map((sequence) -> sequence.release(places)).toArray(CompletableFuture[]::new));
	}

	/**
	 * Discards what could not be returned in time.
	 */
	void discard() {
		if (this.mode.get() != EngineMode.RUNNING) {
			sequences().forEach(RangeSequence::discard);
		}
	}

	/**
	 * Raises a counter and waits for it.
	 * @return where the counter stands
	 */
	long raise(RangeStore store, String name, long floor) {
		CompletableFuture<Long> raise = sequence(store, name).raise(store, floor).toCompletableFuture();
		if (!ended(raise, true)) {
			// Where it has not begun, it need not be carried out.
			raise.cancel(false);
			throw ReservationFailure.notRaised(name, store.database(), floor,
					ReservationFailure.noAnswerWithin(this.settings.timeout()));
		}
		return join(raise);
	}

	void warmUp(RangeStore store, Collection<String> names) {
		CompletableFuture<?> ranges = CompletableFuture.allOf(names.stream()
			.map((name) -> sequence(store, name).warmUp(store).toCompletableFuture())
			.toArray(CompletableFuture[]::new));
		if (!ended(ranges, true)) {
			throw new HiLoUnavailableException(
					"Not every sequence of " + names + " in database " + Names.quoted(store.database())
							+ " got a range within " + Timeouts.named(this.settings.timeout()));
		}
		join(ranges);
	}

	private static <T extends @Nullable Object> T join(CompletableFuture<T> ended) {
		try {
			return ended.join();
		}
		catch (CompletionException ex) {
			throw ReservationFailure.copyOf((ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

	Map<String, Map<String, SequenceSnapshot>> snapshot() {
		return describe(RangeSequence::snapshot);
	}

	private <T> Map<String, Map<String, T>> describe(Function<RangeSequence, T> description) {
		Map<String, Map<String, T>> databases = new TreeMap<>();
		this.databases.forEach((database, sequences) -> {
			Map<String, T> descriptions = new TreeMap<>();
			sequences.forEach((name, sequence) -> descriptions.put(name, description.apply(sequence)));
			databases.put(database, descriptions);
		});
		return databases;
	}

	Map<String, Map<String, SequenceHealth>> checkHealth() {
		return describe(RangeSequence::checkHealth);
	}

	private List<RangeSequence> sequences() {
		return this.databases.values().stream().flatMap((sequences) -> sequences.values().stream()).toList();
	}

	private boolean await(CompletableFuture<?> release) {
		boolean released = ended(release, !this.shutdownTimedOut || this.mode.get() == EngineMode.RUNNING);
		if (!released) {
			discard();
		}
		return released;
	}

	private boolean ended(CompletableFuture<?> operation, boolean patient) {
		return UninterruptedWait.ended(operation, patient ? this.settings.timeout() : Duration.ZERO);
	}

}

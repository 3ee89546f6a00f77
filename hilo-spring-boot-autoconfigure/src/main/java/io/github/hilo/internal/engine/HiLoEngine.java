package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.sequence.ChosenMemory;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.sequence.LatchWait;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.ReservationFailure;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.RepeatedTask;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds the sequences of all databases, and starts, pauses and ends their life. The other
 * parts of the library use this class instead of a {@link HiLoIdGenerator}, because an
 * application can decorate or replace the generator.
 * <p>
 * How it is safe: a change of {@code mode} is written before the sequences are visited,
 * and a sequence reads the mode under its own lock. So a sequence that is visited sees
 * the new mode, and one that is created too late to be visited reads the new mode before
 * it reserves anything. All other fields are final or volatile, and {@code registry} is
 * thread-safe.
 */
public final class HiLoEngine implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(HiLoEngine.class);

	private static final Duration BETWEEN_IDLE_LOOKS = Duration.ofMinutes(1);

	private final RangeStores stores;

	private final EntitySequenceNames names;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<RangeSequence.Mode> mode = new AtomicReference<>(RangeSequence.Mode.RUNNING);

	private final ChosenMemory chosen;

	// The sequences with a client of a choosing factory, which the application may close.
	private final Set<RangeSequence> borrowing = ConcurrentHashMap.newKeySet();

	private final RepeatedTask idleLook;

	private final SequenceRegistry registry;

	private final DefaultHiLoIdGenerator generator;

	// How long the shutdown has waited. Its two steps together may wait for the timeout.
	private volatile Duration shutdownWaited = Duration.ZERO;

	/**
	 * @param events receives what happens to the sequences, on any number of threads,
	 * which hold no lock; must not throw
	 */
	public HiLoEngine(RangeStores stores, EntitySequenceNames names, HiLoSettings settings, TimeSource time,
			Consumer<SequenceEvent> events) {
		this.stores = stores;
		this.names = names;
		this.settings = settings;
		this.time = time;
		this.chosen = new ChosenMemory(time, stores.tasks());
		this.idleLook = new RepeatedTask(BETWEEN_IDLE_LOOKS, time, stores.tasks(), this::letGoOfIdle,
				() -> !this.borrowing.isEmpty());
		Consumer<SequenceEvent> listener = (event) -> {
			watch(event);
			events.accept(event);
		};
		this.registry = new SequenceRegistry(
				(name, store, places,
						numbers) -> watched(new RangeSequence(name, store, settings, places, numbers, names::nameTypes,
								time, this.mode, listener, stores.tasks())),
				names::placesOf, settings.formats(), this.chosen);
		this.generator = new DefaultHiLoIdGenerator(this, null, null);
	}

	private void letGoOfIdle() {
		this.borrowing.removeIf((sequence) -> !sequence.isBorrowing());
		List<CompletableFuture<@Nullable RuntimeException>> released = this.borrowing.stream()
			.map(RangeSequence::letGoIfIdle)
			.toList();
		CompletableFuture<?> unused = all(released).thenRun(() -> logLost(Level.INFO,
				released.stream().map(CompletableFuture::join).filter(Objects::nonNull).toList()));
	}

	private void watch(SequenceEvent event) {
		RangeSequence sequence = event.sequence();
		if (event instanceof SequenceEvent.LetGo) {
			this.borrowing.remove(sequence);
			// The sequence may have a client again, because events can overtake each
			// other.
			watched(sequence);
			if (this.borrowing.stream().noneMatch((other) -> other.database().equals(sequence.database()))) {
				this.stores.letGo(sequence.database());
			}
		}
		else {
			watched(sequence);
		}
	}

	/**
	 * Looks at a sequence from now on if its client may be gone.
	 */
	private RangeSequence watched(RangeSequence sequence) {
		if (sequence.isBorrowing()) {
			this.borrowing.add(sequence);
			this.idleLook.plan();
		}
		return sequence;
	}

	Tasks tasks() {
		return this.stores.tasks();
	}

	public HiLoIdGenerator generator() {
		return this.generator;
	}

	EntitySequenceNames names() {
		return this.names;
	}

	/**
	 * Reserves a range for each of some sequences of the default database, and asks
	 * whether it is free in the places of known types, all at the same time, and waits
	 * for at most the configured timeout. Nothing is reserved for a consecutive sequence,
	 * which holds nothing.
	 * @throws HiLoUnavailableException if a sequence got no range; the others go on
	 * @throws HiLoDocumentException if a counter is malformed; the other sequences go on
	 */
	public void warmUp(Collection<String> sequences) {
		RangeStore store = currentStore(deadline());
		CompletableFuture<?> ranges = all(
				sequences.stream().flatMap((name) -> sequence(store, name).ensureRange(store)).toList());
		// A consecutive sequence reserves nothing, and so has no event.
		sequences.forEach((name) -> watched(sequence(store, name)));
		if (!LatchWait.awaitUninterrupted(ranges, this.settings.timeout())) {
			throw new HiLoUnavailableException(
					"Not every sequence of " + sequences + " in database " + Names.quoted(store.database())
							+ " got a range within " + Timeouts.named(this.settings.timeout()));
		}
		ReservationFailure.join(ranges);
	}

	/**
	 * Returns what is unused, and holds no range until {@link #resume()}. Ids are still
	 * issued, each by a reservation of its own.
	 * @return whether every return was answered in time
	 */
	public boolean pause() {
		return awaitShutdown(pausing());
	}

	List<CompletableFuture<@Nullable RuntimeException>> pausing() {
		this.mode.compareAndSet(RangeSequence.Mode.RUNNING, RangeSequence.Mode.PAUSED);
		return releasing(null);
	}

	/**
	 * Holds ranges again after a {@link #pause()}. Nothing that was reserved or requested
	 * before is used, because this process may be one of several that were restored from
	 * one snapshot.
	 */
	public void resume() {
		if (this.mode.get() == RangeSequence.Mode.PAUSED) {
			this.registry.select(null, null).forEach(RangeSequence::reset);
			this.shutdownWaited = Duration.ZERO;
			// Has no effect if the engine was closed meanwhile.
			this.mode.compareAndSet(RangeSequence.Mode.PAUSED, RangeSequence.Mode.RUNNING);
			this.registry.select(null, null).forEach(RangeSequence::proceed);
		}
	}

	/**
	 * Returns what is unused, and issues nothing any more. Callers whose reservation is
	 * in flight get their numbers first; callers that wait for a return to end are
	 * refused. Waits for at most the configured timeout.
	 */
	@Override
	public void close() {
		awaitShutdown(closing());
		this.chosen.close();
		this.idleLook.close();
		this.stores.close();
	}

	List<CompletableFuture<@Nullable RuntimeException>> closing() {
		this.mode.set(RangeSequence.Mode.CLOSED);
		return releasing(null);
	}

	/**
	 * Waits for the releases of a shutdown, and logs in one message what could not be
	 * returned. What was not answered in time is discarded, because two copies that are
	 * made of this process now must not both return it.
	 */
	private boolean awaitShutdown(List<CompletableFuture<@Nullable RuntimeException>> released) {
		Duration timeout = this.settings.timeout();
		Duration left = timeout.minus(this.shutdownWaited);
		long begunNanos = this.time.nanoTime();
		boolean answered = LatchWait.awaitUninterrupted(all(released), left);
		this.shutdownWaited = this.shutdownWaited.plusNanos(this.time.nanoTime() - begunNanos);
		RuntimeException late = new HiLoUnavailableException(ReservationFailure.noAnswerWithin(timeout));
		List<RuntimeException> failures = released.stream()
			.map((sequence) -> sequence.getNow(late))
			.filter(Objects::nonNull)
			.toList();
		if (!answered) {
			discard();
		}
		logLost(Level.WARN, failures);
		return answered;
	}

	private static void logLost(Level level, List<RuntimeException> failures) {
		if (!failures.isEmpty()) {
			logger.atLevel(level)
				.log("Unused numbers could not be returned and become a gap, of {} sequences in all. {}",
						failures.size(), failures.get(0).getMessage());
		}
	}

	void discard() {
		this.registry.select(null, null).forEach(RangeSequence::discard);
	}

	/**
	 * Returns the unused ranges of some sequences, and waits for at most the configured
	 * timeout. What could not be returned becomes a gap. If a sequence is named and
	 * nothing of it failed, its latest failure is forgotten.
	 * @return the databases to which something could not be returned
	 */
	public SortedSet<String> release(@Nullable String database, @Nullable String sequence) {
		Map<RangeSequence, CompletableFuture<@Nullable RuntimeException>> released = new HashMap<>();
		this.registry.select(database, sequence).forEach((any) -> released.put(any, any.release()));
		LatchWait.awaitUninterrupted(all(List.copyOf(released.values())), this.settings.timeout());
		SortedSet<String> lost = new TreeSet<>();
		released.forEach((any, ended) -> {
			if (!ended.isDone() || ended.join() != null) {
				lost.add(any.database());
			}
			else if (sequence != null) {
				any.forgiveFailure();
			}
		});
		return lost;
	}

	/**
	 * Returns the unused ranges as {@link #release} does, for callers that must not wait.
	 * @return a future that ends with the returns, however long they take
	 */
	public CompletableFuture<@Nullable Void> releaseAsync(@Nullable String database) {
		return CompletableFuture.<@Nullable Void>completedFuture(null)
			.thenComposeAsync((none) -> all(releasing(database)), this.stores.tasks());
	}

	/**
	 * Starts to return what is unused. Each future ends when its sequence holds nothing
	 * any more that must be returned, with the failure of the return, if there was one.
	 */
	private List<CompletableFuture<@Nullable RuntimeException>> releasing(@Nullable String database) {
		return this.registry.select(database, null).stream().map(RangeSequence::release).toList();
	}

	static CompletableFuture<@Nullable Void> all(List<? extends CompletableFuture<?>> parts) {
		return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
	}

	/**
	 * Checks the name of a database.
	 * @throws IllegalArgumentException if no database can have this name and no sequences
	 * are shown under it
	 */
	public @Nullable String requireDatabase(@Nullable String database) {
		return (database == null || this.registry.knows(database)) ? database : Names.requireDatabase(database);
	}

	/**
	 * Returns a snapshot of every sequence that was asked for, without taking a number or
	 * reserving a range. The caller may change the maps.
	 */
	public Map<String, Map<String, SequenceSnapshot>> snapshot() {
		return this.registry.show(RangeSequence::snapshot);
	}

	/**
	 * Returns a snapshot of every sequence that was asked for. A sequence that cannot
	 * issue ids, because its range is used up and its latest reservation failed, requests
	 * a range in the background, unless it is consecutive.
	 */
	public Map<String, Map<String, SequenceSnapshot>> checkHealth() {
		return this.registry.show(RangeSequence::checkHealth);
	}

	public RangeStore storeOf(String database) {
		return this.stores.named(database, deadline());
	}

	/**
	 * Returns the store of the database from which a call of a generator would get an id,
	 * or {@code null} if the generator is the application's.
	 */
	public @Nullable RangeStore storeUsedBy(HiLoIdGenerator generator) {
		DefaultHiLoIdGenerator own = DefaultHiLoIdGenerator.own(generator);
		return (own != null) ? own.store(deadline()) : null;
	}

	/**
	 * Returns whether a generator is not the application's.
	 */
	public static boolean isOwn(HiLoIdGenerator generator) {
		return DefaultHiLoIdGenerator.own(generator) != null;
	}

	public RangeSequence sequence(RangeStore store, @Nullable String name) {
		return this.registry.sequence(store, Arguments.requireSequence(name));
	}

	public Deadline deadline() {
		return new Deadline(this.settings.timeout(), this.time);
	}

	/**
	 * Returns the number of a value with which the application is about to store a
	 * document, if it must be excluded.
	 */
	public @Nullable ChosenNumber toExclude(ChosenValue chosen) {
		return this.registry.toExclude(chosen);
	}

	/**
	 * Excludes a number with which the application is about to store a document. Sends no
	 * command.
	 * @param store the database, or {@code null} if it is not known, which stands for all
	 */
	public void exclude(@Nullable RangeStore store, ChosenNumber chosen) {
		this.registry.exclude(store, chosen);
	}

	public RangeStore currentStore(Deadline deadline) {
		return this.stores.current(deadline);
	}

	boolean isCurrentFixed() {
		return this.stores.isCurrentFixed();
	}

}

package io.github.hilo.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Plays a table of events and effects with one {@link SequenceState}, whose ranges have 4
 * to 64 numbers. There is a counter, and a clock that stands still but for {@code wait}.
 * Callers have names. <pre>
 * ask a b                two callers ask for a number each
 * block a 6              a caller asks for a block
 * warm-up a              a caller wants a range to be held
 * leave a                a caller gives up
 * granted                the reservation in flight succeeds
 * granted after 10       the same, after others were granted 10 numbers
 * granted late           a reservation from before the reset, or one that is over, succeeds
 * failed                 whatever is in flight fails
 * failed for now         the return in flight fails for a passing reason
 * waited                 the pause before its repetition is over
 * waited before          a pause is over that was ended before
 * counts                 shows how many numbers there were of each kind
 * returned, not returned the return in flight was applied, or was not
 * raise 50, raised       a raise of the counter, and its end
 * cancel 50              the caller of that raise gives up
 * late raise             the end of a raise that is not in flight any more
 * places 2               ranges are checked in so many places from now on
 * release, discard       as the engine asks for them
 * release 2              the same, of ranges that were checked in fewer places
 * pause, resume, close   the engine's mode changes, as it tells its sequences
 * reset, proceed         as the engine asks for them after a pause
 * wait 40s               time passes
 * forget                 somebody asks whether nothing would be lost with the sequence
 * health                 somebody asks whether ids can be issued
 * read 7, not read       the end of a check of the counter
 * </pre>
 */
final class StateScript {

	private static final HiLoSettings SETTINGS = HiLoSettings.DEFAULTS.withSequences(1, 4, 64);

	private final SequenceState state;

	private final Map<String, Waiter> waiters = new HashMap<>();

	private final List<String> effects = new ArrayList<>();

	private EngineMode mode = EngineMode.RUNNING;

	private long nanos;

	private long max;

	private int grants;

	private int places;

	private @Nullable Object grant;

	private @Nullable Operation<?> inFlight;

	private @Nullable Operation<?> forgotten;

	private Operation.@Nullable CounterCheck check;

	private final Map<String, Operation.Raise> raises = new HashMap<>();

	private Operation.@Nullable Raise lastRaise;

	/**
	 * Nothing is in flight during a pause.
	 */
	private Operation.@Nullable Pause lastPause;

	private StateScript(HiLoSettings settings) {
		this.state = new SequenceState("orders", settings);
	}

	/**
	 * Plays a table.
	 * @return the table with the effects that there were
	 */
	static String play(boolean prefetch, String table) {
		return play(SETTINGS.withPrefetch(prefetch), table);
	}

	/**
	 * Plays a table with a consecutive sequence.
	 * @return the table with the effects that there were
	 */
	static String playConsecutive(String table) {
		return play(SETTINGS.withConsecutiveSequences(), table);
	}

	private static String play(HiLoSettings settings, String table) {
		StateScript script = new StateScript(settings);
		return table.lines().map(script::line).collect(Collectors.joining("\n", "", "\n"));
	}

	private String line(String line) {
		String event = line.substring(0, line.indexOf('|'));
		this.effects.clear();
		play(event.strip().split(" +"));
		return (event + "| " + String.join(", ", this.effects)).stripTrailing();
	}

	private void play(String[] event) {
		String[] arguments = Arrays.copyOfRange(event, 1, event.length);
		switch (event[0]) {
			case "ask" -> Arrays.stream(arguments).forEach((name) -> ask(name, new Waiter(true)));
			case "block" -> ask(arguments[0], new Waiter(new NumberBlock(Integer.parseInt(arguments[1]))));
			case "warm-up" -> ask(arguments[0], new Waiter(false));
			case "leave" -> leave(Objects.requireNonNull(this.waiters.get(arguments[0])));
			case "granted" -> granted(arguments);
			case "failed" -> {
				if (arguments.length > 0) {
					failForNow();
				}
				else {
					end(null, new HiLoUnavailableException("no answer"));
				}
			}
			case "waited" -> waited(arguments.length > 0);
			case "counts" -> counts();
			case "returned" -> end(takeBack(), null);
			case "not" -> {
				if (arguments[0].equals("read")) {
					checked(null, new HiLoUnavailableException("no answer"));
				}
				else {
					end(ReturnOutcome.SUPERSEDED, null);
				}
			}
			case "forget" -> this.effects.add(this.state.isForgettable() ? "forgettable" : "kept");
			case "health" -> health();
			case "read" -> checked(Long.parseLong(arguments[0]), null);
			case "raise" -> raise(Long.parseLong(arguments[0]));
			case "cancel" -> Objects.requireNonNull(this.raises.get(arguments[0])).answer().cancel(false);
			case "late" -> on((effects) -> Objects.requireNonNull(this.lastRaise)
				.ended(this.state, raiseCounter(this.lastRaise), null, now(), effects));
			case "raised" -> end(raiseCounter((Operation.Raise) Objects.requireNonNull(this.inFlight)), null);
			case "places" -> this.places = Integer.parseInt(arguments[0]);
			case "release" -> release((arguments.length > 0) ? Integer.parseInt(arguments[0]) : Integer.MAX_VALUE);
			case "discard" -> on((effects) -> this.state.discard(now(), effects));
			case "pause" -> change(EngineMode.PAUSED);
			case "resume" -> this.mode = EngineMode.RUNNING;
			case "close" -> change(EngineMode.CLOSED);
			case "reset" -> {
				this.forgotten = this.inFlight;
				this.inFlight = null;
				on((effects) -> this.state.reset(effects));
			}
			case "proceed" -> on((effects) -> this.state.startNext(now(), effects));
			case "wait" -> this.nanos += Duration.parse("PT" + arguments[0]).toNanos();
			default -> throw new IllegalArgumentException(event[0]);
		}
	}

	private void ask(String name, Waiter waiter) {
		this.waiters.put(name, waiter);
		CompletionStage<?> unused = waiter.answer()
			.whenComplete((issued, failure) -> this.effects.add(name + answer(waiter, issued, failure)));
		on((effects) -> this.state.ask(waiter, now(), effects));
	}

	private static String answer(Waiter waiter, @Nullable IssuedNumber issued, @Nullable Throwable failure) {
		if (failure != null) {
			return " fails";
		}
		if (waiter.block() != null) {
			return "=" + Arrays.toString(waiter.block().numbers());
		}
		return (issued != null) ? "=" + issued.number() : " is ready";
	}

	private void leave(Waiter waiter) {
		if (!waiter.settle()) {
			throw new IllegalStateException("It was served already");
		}
		on((effects) -> this.state.leave(waiter));
	}

	private void granted(String[] arguments) {
		if (arguments.length == 1) {
			Operation.Reservation late = (Operation.Reservation) Objects.requireNonNull(this.forgotten);
			ReservedRange range = grant(late);
			on((effects) -> this.state.reserved(late, range, null, now(), effects));
			return;
		}
		Operation.Reservation reservation = (Operation.Reservation) Objects.requireNonNull(this.inFlight);
		if (arguments.length == 2) {
			this.max += Long.parseLong(arguments[1]);
			this.grant = "others" + this.grants++;
		}
		end(grant(reservation), null);
	}

	private ReservedRange grant(Operation.Reservation reservation) {
		long before = Math.max(this.max, reservation.request().floor());
		this.max = before + reservation.request().size();
		Object previous = this.grant;
		this.grant = "grant" + this.grants++;
		return new ReservedRange(before + 1, this.max, "", this.grant, previous, this.places);
	}

	private ReturnOutcome takeBack() {
		Operation.Return operation = (Operation.Return) Objects.requireNonNull(this.inFlight);
		this.max = operation.unused().lastIssued();
		return ReturnOutcome.RETURNED;
	}

	private void waited(boolean before) {
		if (before) {
			Operation.Pause ended = Objects.requireNonNull(this.lastPause);
			on((effects) -> ended.ended(this.state, true, null, now(), effects));
		}
		else {
			end(true, null);
		}
	}

	private void counts() {
		SequenceSnapshot snapshot = this.state.snapshot("Raven/HiLo/orders", now());
		this.effects.add(snapshot.reserved() + " reserved, " + snapshot.issued() + " issued, " + snapshot.returned()
				+ " returned");
	}

	private void failForNow() {
		Operation.Return operation = (Operation.Return) Objects.requireNonNull(this.inFlight);
		end(ReturnOutcome.failedForNow(operation.unused().again("grant" + this.grants), "no primary"), null);
	}

	private long raiseCounter(Operation.Raise raise) {
		this.max = Math.max(this.max, raise.floor());
		return this.max;
	}

	private void raise(long floor) {
		Operation.Raise raise = new Operation.Raise(floor, this.state.requestTimeout());
		this.raises.put(String.valueOf(floor), raise);
		this.lastRaise = raise;
		CompletionStage<?> unused = raise.answer()
			.whenComplete((max, failure) -> this.effects
				.add((failure != null) ? "raise to " + floor + " fails" : "raised to " + max));
		on((effects) -> this.state.raise(raise, now(), effects));
	}

	private void health() {
		on((effects) -> {
		});
		boolean up = this.state.health().outage() == null;
		this.effects.add(up ? "up" : "down");
		if (!up) {
			on((effects) -> this.state.seekRecovery(now(), effects));
		}
	}

	private void checked(@Nullable Long max, @Nullable RuntimeException failure) {
		Operation.CounterCheck ended = Objects.requireNonNull(this.check);
		this.check = null;
		on((effects) -> ended.ended(this.state, max, failure, now(), effects));
	}

	private void release(int places) {
		CompletableFuture<@Nullable Void> release = new CompletableFuture<>();
		CompletionStage<?> unused = release.thenRun(() -> this.effects.add("released"));
		on((effects) -> this.state.release(release, places, now(), effects));
	}

	private void change(EngineMode mode) {
		this.mode = mode;
		release(Integer.MAX_VALUE);
	}

	@SuppressWarnings("unchecked")
	private <T> void end(@Nullable T answer, @Nullable RuntimeException failure) {
		Operation<T> ended = (Operation<T>) Objects.requireNonNull(this.inFlight, "nothing is in flight");
		this.inFlight = null;
		on((effects) -> ended.ended(this.state, answer, failure, now(), effects));
	}

	private void on(Event event) {
		Effects effects = new Effects();
		Operation<?> late = this.state.late(now());
		if (late != null) {
			this.forgotten = late;
			this.inFlight = null;
			this.state.expire(late, new HiLoUnavailableException("too late"), now(), effects);
		}
		try {
			event.handle(effects);
		}
		catch (IllegalStateException closed) {
			this.effects.add("refused");
		}
		effects.complete((waiter) -> {
		});
		if (effects.lost() != null) {
			RangeReturn lost = effects.lost().numbers();
			this.effects.add("lose " + (lost.lastIssued() + 1) + " to " + lost.max());
		}
		effects.started().forEach(this::started);
	}

	private void started(Operation<?> operation) {
		if (operation instanceof Operation.CounterCheck started) {
			this.check = started;
			this.effects.add("read the counter");
			return;
		}
		if (this.inFlight != null && !(this.inFlight instanceof Operation.Pause)) {
			throw new AssertionError("Two operations are in flight");
		}
		this.inFlight = operation;
		this.lastPause = (operation instanceof Operation.Pause pause) ? pause : this.lastPause;
		this.effects.add(describe(operation));
	}

	private static String describe(Operation<?> operation) {
		if (operation instanceof Operation.Reservation reservation) {
			return "reserve " + reservation.request().size() + " above " + reservation.request().floor();
		}
		if (operation instanceof Operation.Pause pause) {
			return "wait " + pause.length().toMillis() + "ms";
		}
		return (operation instanceof Operation.Return unused) ? describe(unused.unused())
				: "raise to " + ((Operation.Raise) operation).floor();
	}

	private static String describe(RangeReturn unused) {
		String numbers = "return " + (unused.lastIssued() + 1) + " to " + unused.max();
		return (unused.newGrant() != null) ? numbers + " within " + unused.timeout().toMillis() + "ms" : numbers;
	}

	private Moment now() {
		return new Moment(this.mode, this.nanos, Instant.EPOCH.plusNanos(this.nanos));
	}

	/**
	 * Something that the state handles.
	 */
	@FunctionalInterface
	private interface Event {

		void handle(Effects effects);

	}

}

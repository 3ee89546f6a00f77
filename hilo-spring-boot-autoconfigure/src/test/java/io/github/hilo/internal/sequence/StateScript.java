package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

import org.springframework.test.util.ReflectionTestUtils;

/**
 * Plays a table of events and effects with one {@link SequenceState}, whose ranges have 4
 * to 64 numbers. There is a counter, and a clock that stands still but for {@code wait}.
 * Callers have names. <pre>
 * begin                  a first range of 4 is there, and 1 is issued
 * busy                   5 is issued, from a second range of 8
 * ask a b                two callers ask for a number each
 * ask a in lines         the same, for documents of a collection
 * block a 6              a caller asks for a block
 * found 9 in lines       a find is answered: a document there has 9 (0 if none has one)
 * found 0 to 50 in lines the same, and no document there has any number up to 50
 * not found in lines     a find fails
 * chosen 5               the application stores a document with a number of its choice
 * warm-up a              a caller wants a range to be held
 * leave a                a caller gives up
 * granted                the reservation in flight succeeds
 * granted after 10       the same, after others were granted 10 numbers
 * granted late           a reservation from before the reset, or one that is over, succeeds
 * failed                 whatever is in flight fails
 * counts                 shows how many numbers there were of each kind
 * returned, not returned the return in flight was applied, or was not
 * raised 50              the counter was raised
 * release, discard       as the engine asks for them
 * pause, resume, close   the engine's mode changes, as it tells its sequences
 * reset, proceed         as the engine asks for them after a pause
 * wait 40s               time passes
 * sleep 40s              the same for the wall clock alone, while the machine sleeps
 * repaired               the reservation in flight succeeds, but not by its first command
 * health                 somebody asks whether ids can be issued
 * forgive                an operator says that the last failure is over
 * </pre>
 */
final class StateScript {

	static final EngineSettings SETTINGS = EngineSettings.DEFAULTS.withSequences(1, 4, 64);

	private static final FakeRangeStore STORE = new FakeRangeStore("shop");

	private final Places places = new Places();

	private final RangeSequence view;

	private final SequenceState state;

	private final ManualTime time = new ManualTime();

	private final ChosenNumbers chosen = ChosenInTests.of(this.time);

	private final Map<String, Waiter> waiters = new HashMap<>();

	private final List<String> effects = new ArrayList<>();

	private RangeSequence.Mode mode = RangeSequence.Mode.RUNNING;

	private long max;

	private int grants;

	private String grant = "none";

	private @Nullable Operation inFlight;

	private @Nullable Operation forgotten;

	private final Set<Object> started = new HashSet<>();

	private final List<Operation.Find> finds = new ArrayList<>();

	private StateScript(HiLoSettings settings) {
		this.view = new RangeSequence("orders", STORE, settings, new Places(), ChosenInTests.of(new ManualTime()),
				() -> {
				}, new ManualTime(), new AtomicReference<>(RangeSequence.Mode.RUNNING), (event) -> {
				}, Runnable::run);
		this.state = new SequenceState("orders", settings, this.places, this.chosen);
	}

	/**
	 * Plays a table.
	 * @return the table with the effects that there were
	 */
	static String play(EngineSettings settings, String table) {
		StateScript script = new StateScript(settings.settings());
		String played = table.lines().map(script::line).collect(Collectors.joining("\n", "", "\n"));
		if (script.started.size() > ((script.inFlight instanceof Operation.Reservation) ? 1 : 0)) {
			throw new AssertionError("A reservation has not ended");
		}
		return played;
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
			case "begin" -> quietly("ask a", "granted");
			case "busy" -> quietly("ask a b c d e", "granted", "granted");
			case "ask" -> Arrays.stream(arguments)
				.takeWhile((name) -> !name.equals("in"))
				.forEach((name) -> ask(name, new Waiter(1, placeIn(arguments), null)));
			case "block" -> ask(arguments[0], new Waiter(Integer.parseInt(arguments[1]), placeIn(arguments), null));
			case "found" ->
				found(Objects.requireNonNull(placeIn(arguments)), new Operation.Found(Long.parseLong(arguments[0]),
						arguments[1].equals("to") ? Long.parseLong(arguments[2]) : 0));
			case "chosen" -> {
				this.chosen.add(Long.parseLong(arguments[0]));
				on((step) -> this.state.exclude(Long.parseLong(arguments[0])));
			}
			case "warm-up" -> ask(arguments[0], Waiter.forRange(placeIn(arguments)));
			case "leave" -> leave(Objects.requireNonNull(this.waiters.get(arguments[0])));
			case "granted" -> granted(arguments);
			case "repaired" -> {
				ReservedRange range = grant((Operation.Reservation) Objects.requireNonNull(this.inFlight));
				end(new ReservedRange(range.min(), range.max(), "", range.grants(), false), null);
			}
			case "failed" -> end(null, new HiLoUnavailableException("no answer"));
			case "counts" -> counts();
			case "returned" -> {
				this.max = ((Operation.Return) Objects.requireNonNull(this.inFlight)).numbers().newMax();
				end(true, null);
			}
			case "not" -> {
				if (arguments[0].equals("found")) {
					found(Objects.requireNonNull(placeIn(arguments)), null);
				}
				else {
					end(false, null);
				}
			}
			case "forgive" -> this.state.forgiveFailure();
			case "health" -> health();
			case "raised" -> on((step) -> this.state.raised(Long.parseLong(arguments[0]), step));
			case "release" -> release();
			case "discard" -> on(this.state::discard);
			case "pause" -> change(RangeSequence.Mode.PAUSED);
			case "resume" -> this.mode = RangeSequence.Mode.RUNNING;
			case "close" -> change(RangeSequence.Mode.CLOSED);
			case "reset" -> {
				this.forgotten = this.inFlight;
				this.inFlight = null;
				process(this.state::reset);
			}
			case "proceed" -> on(this.state::startNext);
			case "sleep" -> this.time.sleep(Duration.parse("PT" + arguments[0]));
			case "wait" -> this.time.advance(Duration.parse("PT" + arguments[0]));
			default -> throw new IllegalArgumentException(event[0]);
		}
	}

	private void quietly(String... events) {
		Arrays.stream(events).forEach((event) -> play(event.split(" ")));
		this.effects.clear();
	}

	private static @Nullable Place placeIn(String[] arguments) {
		int in = Arrays.asList(arguments).indexOf("in");
		return (in >= 0) ? Place.ofType(arguments[in + 1], Place.ID, IdForm.NUMBER) : null;
	}

	/**
	 * Answers the oldest find of a place.
	 */
	private void found(Place place, Operation.@Nullable Found found) {
		Operation.Find find = this.finds.stream()
			.filter((each) -> each.place().equals(place))
			.findFirst()
			.orElseThrow();
		this.finds.remove(find);
		on((step) -> this.state.found(find, found, (found == null) ? new HiLoUnavailableException("no answer") : null,
				step));
	}

	private void ask(String name, Waiter waiter) {
		this.waiters.put(name, waiter);
		CompletionStage<?> unused = waiter.answer()
			.whenComplete((served, failure) -> this.effects.add(name + answer(waiter, failure)));
		on((step) -> this.state.ask(waiter, step));
	}

	private static String answer(Waiter waiter, @Nullable Throwable failure) {
		if (failure != null) {
			return " fails";
		}
		if (!waiter.isTaking()) {
			return " is ready";
		}
		return "=" + ((waiter.count() > 1) ? Arrays.toString(waiter.numbers()) : waiter.first());
	}

	private void leave(Waiter waiter) {
		if (!waiter.settle()) {
			throw new IllegalStateException("It was served already");
		}
		on((step) -> this.state.leave(waiter, step));
	}

	private void granted(String[] arguments) {
		if (arguments.length == 1) {
			Operation.Reservation late = (Operation.Reservation) Objects.requireNonNull(this.forgotten);
			ReservedRange range = grant(late);
			on((step) -> this.state.reserved(late, range, null, step));
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
		String previous = this.grant;
		this.grant = "grant" + this.grants++;
		return new ReservedRange(before + 1, this.max, "", List.of(this.grant, previous));
	}

	private void counts() {
		SequenceSnapshot snapshot = this.state.snapshot("Raven/HiLo/orders", newStep());
		this.effects.add(snapshot.reserved() + " reserved, " + snapshot.issued() + " issued, " + snapshot.returned()
				+ " returned");
	}

	private void health() {
		on((step) -> {
			// Only an operation that is late matters.
		});
		this.effects.add(this.state.snapshot("Raven/HiLo/orders", newStep()).available() ? "up" : "down");
		on(this.state::seekRecovery);
	}

	private void release() {
		CompletableFuture<@Nullable RuntimeException> release = new CompletableFuture<>();
		CompletionStage<?> unused = release.thenRun(() -> this.effects.add("released"));
		on((step) -> this.state.release(release, step));
	}

	private void change(RangeSequence.Mode mode) {
		this.mode = mode;
		release();
	}

	private void end(@Nullable Object answer, @Nullable RuntimeException failure) {
		Operation ended = Objects.requireNonNull(this.inFlight, "nothing is in flight");
		this.inFlight = null;
		on((step) -> {
			if (ended instanceof Operation.Reservation reservation) {
				this.state.reserved(reservation, (ReservedRange) answer, failure, step);
			}
			else {
				this.state.returned((Operation.Return) ended, (Boolean) answer, failure, step);
			}
		});
	}

	private void on(Consumer<Step> action) {
		process((step) -> {
			this.state.expire(step);
			Object operation = ReflectionTestUtils.getField(this.state, "operation");
			if (this.inFlight != null && this.inFlight != operation) {
				this.forgotten = this.inFlight;
				this.inFlight = null;
			}
			action.accept(step);
		});
	}

	private void process(Consumer<Step> action) {
		Step step = newStep();
		action.accept(step);
		step.completeAll();
		step.events().forEach(this::tell);
		step.operations().forEach(this::started);
	}

	private void started(Operation operation) {
		if (operation instanceof Operation.Find find) {
			this.finds.add(find);
			this.effects
				.add("find " + find.first() + " to " + find.range().range().max() + " in " + find.place().collection());
			return;
		}
		if (this.inFlight != null) {
			throw new AssertionError("Two operations are in flight");
		}
		this.inFlight = operation;
		if (operation instanceof Operation.Reservation reservation) {
			this.started.add(reservation.request());
		}
		this.effects.add(describe(operation));
	}

	private static String describe(Operation operation) {
		if (operation instanceof Operation.Reservation reservation) {
			return "reserve " + reservation.request().size() + " above " + reservation.request().floor();
		}
		RangeReturn unused = ((Operation.Return) operation).numbers();
		return "return " + (unused.newMax() + 1) + " to " + unused.max();
	}

	/**
	 * Only what is said of lost numbers is part of the table; each reservation has one
	 * end.
	 */
	private void tell(SequenceEvent event) {
		if (event instanceof SequenceEvent.ReturnEnded ended && ended.failure() != null) {
			this.effects.add("lose " + (ended.unused().newMax() + 1) + " to " + ended.unused().max());
		}
		if (event instanceof SequenceEvent.Discarded discarded) {
			this.effects.add("gap " + discarded.first() + " to " + discarded.last());
		}
		if (event instanceof SequenceEvent.ReservationEnded ended && !this.started.remove(ended.operation())) {
			throw new AssertionError("A reservation ended that had ended before");
		}
	}

	private Step newStep() {
		return new Step(this.view, this.mode, STORE, this.time);
	}

}
